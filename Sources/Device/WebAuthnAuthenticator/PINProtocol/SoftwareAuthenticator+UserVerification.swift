// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

// Built-in user verification: the simulated fingerprint sensor (CTAP 2.3 §6.5.3.1).
extension SoftwareAuthenticator {
  /// Returns whether the device has a sensor with an enrolled finger (option `uv`).
  func verifiesUsers(_ state: DeviceState) -> Bool {
    profile.hasFingerprintSensor && !state.fingers.isEmpty
  }

  /// Returns whether the device is "protected by some form of user verification" (§4): a PIN or an enrolled finger.
  func isProtected(_ state: DeviceState) -> Bool {
    state.pin != nil || verifiesUsers(state)
  }

  /// Reads a finger until it matches an enrolled one (`performBuiltInUv`).
  ///
  /// It makes at most `attempts` attempts, fewer if the device has fewer left.
  ///
  /// Throws `USER_ACTION_TIMEOUT`, `KEEPALIVE_CANCEL` or `OPERATION_DENIED` according to the user's response. Throws
  /// `UV_INVALID` for an unknown finger, `UV_BLOCKED` if only the PIN can unblock the sensor, and `NOT_ALLOWED` if no
  /// finger is enrolled.
  func verifyUser(
    for purpose: InteractionPurpose, attempts: Int = DeviceLimits.internalVerificationAttempts
  ) async throws(CTAPError) {
    try requireFingerAttempts()
    var refusal = CTAPError(.userVerificationInvalid)
    for _ in 0..<attempts {
      let finger: UInt8
      switch await interaction.readFinger(for: purpose) {
      case .finger(let read): finger = read
      case .refused: throw CTAPError(.operationDenied, "the user refused")
      case .timedOut: throw CTAPError(.userActionTimeout)
      case .cancelled: throw CTAPError(.keepaliveCancel)
      }
      do throws(CTAPError) {
        return try countAttempt(with: finger)
      } catch {
        guard error.status == .userVerificationInvalid else { throw error }
        refusal = error
      }
    }
    throw refusal
  }

  private func requireFingerAttempts() throws(CTAPError) {
    let state = try vault.read()
    guard verifiesUsers(state) else { throw CTAPError(.notAllowed, "no fingerprint is enrolled") }
    if let pin = state.pin, pin.remainingAttempts == 0 {
      // A blocked PIN also blocks fingers, because only the PIN could reset their attempts.
      try vault.update { (state) in state.remainingFingerAttempts = 0 }
      throw CTAPError(.userVerificationBlocked, "the PIN is blocked")
    }
    guard state.remainingFingerAttempts > 0 else { throw CTAPError(.userVerificationBlocked) }
  }

  /// Matches one finger. Stores the reduced attempt counter before reporting a mismatch.
  private func countAttempt(with finger: UInt8) throws(CTAPError) {
    let remaining = try vault.update { (state) -> UInt8? in
      guard !state.fingers.contains(where: { (known) in known.finger == finger }) else {
        state.remainingFingerAttempts = DeviceState.maximumFingerAttempts
        return nil
      }
      state.remainingFingerAttempts -= min(1, state.remainingFingerAttempts)
      return state.remainingFingerAttempts
    }
    guard let remaining else { return }
    throw CTAPError(remaining == 0 ? .userVerificationBlocked : .userVerificationInvalid, "an unknown fingerprint")
  }
}
