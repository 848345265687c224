// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
internal import WebAuthnTypes
public import WireFormats

/// A passkey device in software (CTAP 2.3): what it remembers is in its vault, what dies with its power is here.
///
/// Making one is plugging it in; releasing it is pulling it out.
///
///     let device = try SoftwareAuthenticator(
///       vault: MemoryVault(.factory(random: .system)), profile: .securityKey, interaction: AutomaticInteraction.always(),
///       clock: clock)
///     let reply = try await device.perform(.makeCredential, request.encoded[...])
public actor SoftwareAuthenticator: SecurityKey {
  let vault: any Vault
  let interaction: any UserInteraction
  let random: RandomSource
  let clock: any AuthenticatorClock

  /// What kind of device it is, and how its next credentials are made.
  public private(set) var profile: AuthenticatorProfile

  /// What dies with the power.
  var session: PowerSession

  /// Keys that have been read from the vault.
  var signingKeys = SigningKeyCache()

  /// One command at a time; a second one is told that the device is busy.
  private var isBusy = false

  /// Plugs the device in.
  public init(
    vault: any Vault, profile: AuthenticatorProfile, interaction: any UserInteraction, random: RandomSource = .system,
    clock: any AuthenticatorClock
  ) throws(CryptoError) {
    self.vault = vault
    self.profile = profile
    self.interaction = interaction
    self.random = random
    self.clock = clock
    session = try PowerSession(random: random)
  }

  /// Makes credentials another way from now on. Those that exist stay what they are.
  public func adopt(_ profile: AuthenticatorProfile) {
    self.profile = profile
  }

  /// Carries out one command.
  public func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> Bytes {
    guard begin(on: channel) else { throw CTAPError(.channelBusy) }
    defer { isBusy = false }
    // The command byte counts.
    guard parameters.count < DeviceLimits.maximumMessageByteCount else { throw CTAPError(.requestTooLarge) }
    return try await dispatch(command, parameters)
  }

  /// Answers one U2F message with its reply and a status word.
  public func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> Bytes {
    guard begin(on: channel) else { return U2FStatus.noPreciseDiagnosis.bytes[...] }
    defer { isBusy = false }
    return await answer(command)
  }

  /// Claims the device for one command; false while another runs. A command of another channel ends every sequence.
  private func begin(on channel: DeviceChannel) -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    session.sequences.startCommand(on: channel)
    return true
  }

  /// Gives up what is pending.
  public nonisolated func cancel() async {
    await interaction.cancel()
  }

  private func dispatch(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    switch command {
    case .makeCredential: return try await makeCredential(parameters)
    case .getAssertion: return try await getAssertion(parameters)
    case .getNextAssertion: return try getNextAssertion()
    case .getInfo: return try getInfo()
    case .clientPIN: return try await clientPIN(parameters)
    case .reset: return try await reset()
    case .bioEnrollment, .prototypeBioEnrollment: return try await bioEnrollment(command, parameters)
    case .credentialManagement, .prototypeCredentialManagement: return try credentialManagement(command, parameters)
    case .selection: return try await select()
    case .largeBlobs: return try largeBlobs(parameters)
    case .authenticatorConfig: return try authenticatorConfig(parameters)
    default: throw CTAPError(.invalidCommand, "command \(command.rawValue)")
    }
  }
}
