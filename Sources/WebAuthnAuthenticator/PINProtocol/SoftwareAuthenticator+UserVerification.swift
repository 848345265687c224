// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

// Built-in user verification: the simulated fingerprint sensor (CTAP 2.3 §6.5.3.1).
extension SoftwareAuthenticator {
  /// Whether the device has a sensor that knows a finger: the option `uv`.
  func verifiesUsers(_ state: DeviceState) -> Bool {
    profile.hasFingerprintSensor && !state.fingers.isEmpty
  }

  /// Whether it is "protected by some form of user verification" (§4): a PIN, or a finger.
  func isProtected(_ state: DeviceState) -> Bool {
    state.pin != nil || verifiesUsers(state)
  }

  /// Demands a finger that the sensor knows (`performBuiltInUv`): `attempts` times at most, fewer where fewer are left.
  ///
  /// `USER_ACTION_TIMEOUT`, `KEEPALIVE_CANCEL` and `OPERATION_DENIED` say what the user did instead; `UV_INVALID` that it
  /// was another finger, `UV_BLOCKED` that no more are looked at until the PIN is entered; `NOT_ALLOWED` that the sensor
  /// knows none.
  func verifyUser(
    for purpose: InteractionPurpose, attempts: Int = DeviceLimits.internalVerificationAttempts
  ) async throws(CTAPError) {
    try requireFingerAttempts()
    var refusal = CTAPError(.userVerificationInvalid)
    for _ in 0..<attempts {
      let finger: UInt8
      switch await interaction.readFinger(for: purpose) {
      case .finger(let read): finger = read
      case .refused: throw CTAPError(.operationDenied, "the user refuses")
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
    guard verifiesUsers(state) else { throw CTAPError(.notAllowed, "no finger is enrolled") }
    if let pin = state.pin, pin.remainingAttempts == 0 {
      // A blocked PIN blocks fingers too: nothing could ever unblock them again.
      try vault.update { (state) in state.remainingFingerAttempts = 0 }
      throw CTAPError(.userVerificationBlocked, "the PIN is blocked")
    }
    guard state.remainingFingerAttempts > 0 else { throw CTAPError(.userVerificationBlocked) }
  }

  /// Matches one finger. What a wrong one costs is written before anybody hears that it was wrong.
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
    throw CTAPError(remaining == 0 ? .userVerificationBlocked : .userVerificationInvalid, "an unknown finger")
  }
}
