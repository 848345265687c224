// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// The user presence and user verification established so far in a command: the bits "up" and "uv" of its response.
struct UserConsent: Sendable {
  var isUserPresent = false
  var isUserVerified = false

  /// The corresponding authenticator data flags.
  var flags: AuthenticatorFlags {
    var flags: AuthenticatorFlags = []
    if isUserPresent { flags.insert(.userPresent) }
    if isUserVerified { flags.insert(.userVerified) }
    return flags
  }
}

// User presence and verification steps that makeCredential and getAssertion share (CTAP 2.3 §6.1.2 and §6.2.2).
extension SoftwareAuthenticator {
  /// Step 1 of both commands: a platform sends an empty pinUVAuthParameter to let the user select a device by touch. The
  /// response is always an error.
  func answerSelection(_ state: DeviceState) async throws(CTAPError) {
    try await requirePresence(for: InteractionPurpose(.selectDevice))
    throw CTAPError(state.pin == nil ? .pinNotSet : .pinInvalid, "an empty pinUVAuthParameter")
  }

  /// Step 2 of both commands: requires a supported protocol if a pinUVAuthParameter is present.
  func requireProtocol(of parameter: Bytes?, _ number: UInt64?) throws(CTAPError) {
    if parameter != nil { _ = try PINProtocol(number: number) }
  }

  /// Returns whether the "uv" option applies. A pinUVAuthParameter takes precedence over it.
  func wantsBuiltInVerification(
    _ options: CommandOptions, _ parameter: Bytes?, _ state: DeviceState
  ) throws(CTAPError) -> Bool {
    guard parameter == nil, options.userVerification == true else { return false }
    guard verifiesUsers(state) else { throw CTAPError(.invalidOption, "the device has no built-in user verification") }
    return true
  }

  /// Returns the error for a request that lacks the required user verification.
  func verificationMissing(_ state: DeviceState) -> CTAPError {
    CTAPError(state.pin == nil ? .operationDenied : .pinUVAuthTokenRequired, "user verification is required")
  }

  /// Verifies the user with the device's own sensor (steps 11.2 and 6.2). That also proves user presence.
  func verifyConsent(for purpose: InteractionPurpose, _ state: DeviceState) async throws(CTAPError) -> UserConsent {
    do throws(CTAPError) {
      try await verifyUser(for: purpose)
    } catch {
      switch error.status {
      case .userActionTimeout, .keepaliveCancel: throw error
      // With a PIN, the platform can fall back to it. Without a PIN and without attempts, only a reset helps.
      case _ where state.pin != nil: throw verificationMissing(state)
      case .userVerificationBlocked: throw CTAPError(.pinBlocked, error.detail)
      default: throw CTAPError(.operationDenied, error.detail)
      }
    }
    return UserConsent(isUserPresent: true, isUserVerified: true)
  }

  /// Requires user presence. Built-in verification in this command already proves it, and leaves the token unchanged.
  /// Otherwise accepts the token's user presence or waits for a touch (steps 13 and 8), and then spends the token.
  func requireConsent(
    _ consent: inout UserConsent, parameter: Bytes?, for purpose: InteractionPurpose
  ) async throws(CTAPError) {
    guard !consent.isUserPresent else { return }
    if parameter == nil || !tokenShowsUserPresence { try await requirePresence(for: purpose) }
    consent.isUserPresent = true
    spendToken()
  }

  /// Waits for a touch, and throws if the user refuses, does not respond or the platform cancels.
  func requirePresence(
    for purpose: InteractionPurpose, timedOut: CTAPStatus = .operationDenied
  ) async throws(CTAPError) {
    switch await interaction.confirmPresence(for: purpose) {
    case .confirmed: return
    case .refused: throw CTAPError(.operationDenied, "the user refused")
    case .timedOut: throw CTAPError(timedOut, "the user did not touch the device in time")
    case .cancelled: throw CTAPError(.keepaliveCancel)
    }
  }

  /// Executes authenticatorSelection (§6.9): waits for a touch that selects this device among several.
  func select() async throws(CTAPError) -> [UInt8] {
    try await requirePresence(for: InteractionPurpose(.selectDevice), timedOut: .userActionTimeout)
    return []
  }

  /// Requires that a list has at most as many credentials as authenticatorGetInfo announces.
  func requireAllowedCount(_ list: [CredentialDescriptor]) throws(CTAPError) {
    guard list.count <= DeviceLimits.maximumCredentialCountInList else {
      throw CTAPError(.limitExceeded, "a list of \(list.count) credentials")
    }
  }
}
