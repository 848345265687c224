// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import PasskeyCrypto
public import PasskeyFormats
internal import WebAuthnTypes

/// A software authenticator (CTAP 2.3). The vault holds its persistent state; the actor holds its volatile state.
///
/// Creating an instance corresponds to plugging in the device, and releasing it to unplugging the device.
///
///     let device = try SoftwareAuthenticator(
///       vault: MemoryVault(.factory(random: .system)), profile: .securityKey,
///       interaction: AutomaticInteraction.always(), clock: clock)
///     let reply = try await device.perform(.makeCredential, request.encoded)
public actor SoftwareAuthenticator: SecurityKey {
  let vault: any Vault
  let interaction: any UserInteraction
  let random: RandomSource
  let clock: any AuthenticatorClock

  /// The kind of device, and the settings for credentials that it creates from now on.
  public private(set) var profile: AuthenticatorProfile

  /// The volatile state, lost on power-down.
  var session: PowerSession

  /// A cache of the signing keys read from the vault.
  var signingKeys = SigningKeyCache()

  /// Whether a command is running. A second command fails with `CHANNEL_BUSY`.
  private var isBusy = false

  /// Creates an authenticator in the state that follows power-up.
  ///
  /// - Throws: `crypto.randomness-unavailable`.
  public init(
    vault: any Vault, profile: AuthenticatorProfile, interaction: any UserInteraction, random: RandomSource = .system,
    clock: any AuthenticatorClock
  ) throws(PasskeyCryptoError) {
    self.vault = vault
    self.profile = profile
    self.interaction = interaction
    self.random = random
    self.clock = clock
    session = try PowerSession(random: random)
  }

  /// Applies another profile to credentials created from now on. Existing credentials do not change.
  public func adopt(_ profile: AuthenticatorProfile) {
    self.profile = profile
  }

  /// Executes one CTAP2 command and returns its response.
  ///
  /// - Throws: `CHANNEL_BUSY` while another command runs, `REQUEST_TOO_LARGE`, or the status of the command.
  package func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> [UInt8] {
    guard begin(on: channel) else { throw CTAPError(.channelBusy) }
    defer { isBusy = false }
    // The message also contains the command byte, hence `<` and not `<=`.
    guard parameters.count < DeviceLimits.maximumMessageByteCount else { throw CTAPError(.requestTooLarge) }
    return try await dispatch(command, parameters)
  }

  /// Executes one CTAP2 command and returns its response.
  ///
  /// - Throws: `CHANNEL_BUSY` while another command runs, `REQUEST_TOO_LARGE`, or the status of the command.
  public func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    try await perform(command, parameters[...], on: .only)
  }

  /// Executes one U2F message and returns its response, including the status word.
  package func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> [UInt8] {
    guard begin(on: channel) else { return U2FStatus.noPreciseDiagnosis.bytes }
    defer { isBusy = false }
    return await answer(command)
  }

  /// Claims the device for one command, or returns false while another one runs.
  ///
  /// A command on another channel ends every open sequence.
  private func begin(on channel: DeviceChannel) -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    session.sequences.startCommand(on: channel)
    return true
  }

  /// Cancels the pending user interaction.
  public nonisolated func cancel() async {
    await interaction.cancel()
  }

  private func dispatch(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> [UInt8] {
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

/// The two clocks that an authenticator reads. They are injected so that tests are reproducible.
public protocol AuthenticatorClock: Sendable {
  /// The current date, recorded as a credential's creation and last-use time.
  var now: UnixTime { get }

  /// The time since power-up. It is monotonic.
  var uptime: Duration { get }
}
