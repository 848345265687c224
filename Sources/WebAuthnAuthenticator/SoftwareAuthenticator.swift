// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// A passkey device in software (CTAP 2.3): what it remembers is in its vault, what dies with its power is here.
///
/// Making one is plugging it in; releasing it is pulling it out.
public actor SoftwareAuthenticator: Authenticator {
  let vault: any Vault
  let profile: AuthenticatorProfile
  let interaction: any UserInteraction
  let random: RandomSource
  let clock: any AuthenticatorClock

  /// What dies with the power.
  var session: PowerSession

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

  /// Carries out one command.
  public func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    guard !isBusy else { throw CTAPError(.channelBusy) }
    isBusy = true
    defer { isBusy = false }
    return try await dispatch(command, parameters)
  }

  /// Gives up what is pending.
  public nonisolated func cancel() async {
    await interaction.cancel()
  }

  private func dispatch(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    switch command {
    default: throw CTAPError(.invalidCommand, "command \(command.rawValue)")
    }
  }
}
