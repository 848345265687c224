// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

/// What the user has shown in a command so far: the bits "up" and "uv" of its response.
struct UserConsent: Sendable {
  var isUserPresent = false
  var isUserVerified = false

  /// The flags that say so.
  var flags: AuthenticatorFlags {
    var flags: AuthenticatorFlags = []
    if isUserPresent { flags.insert(.userPresent) }
    if isUserVerified { flags.insert(.userVerified) }
    return flags
  }
}

// What makeCredential and getAssertion ask of the user alike (CTAP 2.3 §6.1.2 and §6.2.2).
extension SoftwareAuthenticator {
  /// Step 1 of both: an empty parameter is a platform's way to have a device touched, among several. What it gets is an
  /// error in any case.
  func answerSelection(_ state: DeviceState) async throws(CTAPError) {
    try await requirePresence(for: InteractionPurpose(.selectDevice))
    throw CTAPError(state.pin == nil ? .pinNotSet : .pinInvalid, "an empty pinUvAuthParam")
  }

  /// Step 2 of both: a parameter is of a protocol that is known.
  func requireProtocol(of parameter: Bytes?, _ number: UInt64?) throws(CTAPError) {
    if parameter != nil { _ = try PINProtocol(number: number) }
  }

  /// Whether the option "uv" is in force: the parameter takes precedence over it.
  func wantsBuiltInVerification(
    _ options: CommandOptions, _ parameter: Bytes?, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard parameter == nil, options.userVerification == true else { return false }
    guard verifiesUsers(state) else { throw CTAPError(.invalidOption, "no user verification of the device's own") }
    return true
  }

  /// What a platform is told that ought to have verified the user first.
  func verificationMissing(_ state: DeviceState) -> CTAPError {
    CTAPError(state.pin == nil ? .operationDenied : .pinUVAuthTokenRequired, "user verification is required")
  }

  /// Has the device verify the user by its own means (steps 11.2 and 6.2). That counts as a touch.
  func verifyConsent(for purpose: InteractionPurpose, _ state: DeviceState) async throws(CTAPError) -> UserConsent {
    do throws(CTAPError) {
      try await verifyUser(for: purpose)
    } catch {
      switch error.status {
      case .userActionTimeout, .keepaliveCancel: throw error
      // With a PIN there is another way; without one, and without attempts, there is none but a reset.
      case _ where state.pin != nil: throw verificationMissing(state)
      case .userVerificationBlocked: throw CTAPError(.pinBlocked, error.detail)
      default: throw CTAPError(.operationDenied, error.detail)
      }
    }
    return UserConsent(isUserPresent: true, isUserVerified: true)
  }

  /// Demands a touch, unless there was one already: with the token that the command came with, which is spent, or in this
  /// command (steps 13 and 8), which leaves every token as it is.
  func requireConsent(
    _ consent: inout UserConsent, parameter: Bytes?, for purpose: InteractionPurpose
  ) async throws(CTAPError) {
    guard !consent.isUserPresent else { return }
    if parameter == nil || !tokenShowsUserPresence { try await requirePresence(for: purpose) }
    consent.isUserPresent = true
    spendToken()
  }

  /// Demands a touch.
  func requirePresence(
    for purpose: InteractionPurpose, timedOut: CTAPStatus = .operationDenied
  ) async throws(CTAPError) {
    switch await interaction.confirmPresence(for: purpose) {
    case .confirmed: return
    case .refused: throw CTAPError(.operationDenied, "the user refuses")
    case .timedOut: throw CTAPError(timedOut, "nobody touched the device")
    case .cancelled: throw CTAPError(.keepaliveCancel)
    }
  }

  /// Demands that a list is no longer than getInfo says.
  func requireAllowedCount(_ list: [CredentialDescriptor]) throws(CTAPError) {
    guard list.count <= DeviceLimits.maximumCredentialCountInList else {
      throw CTAPError(.limitExceeded, "a list of \(list.count) credentials")
    }
  }
}
