// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// CTAP 2.3, §6.6, authenticatorReset.

extension SoftwareAuthenticator {
  /// Restores the factory state: deletes credentials, PIN, fingers, large blobs and settings.
  func reset() async throws(CTAPError) -> [UInt8] {
    // A device without a display accepts a reset only shortly after power-up, which proves physical access.
    guard clock.uptime < DeviceLimits.resetTimeLimit else {
      throw CTAPError(.notAllowed, "more than \(DeviceLimits.resetTimeLimit) after power-up")
    }
    let needsLongTouch = try vault.read().settings.needsLongTouchForReset
    try await requirePresence(
      for: InteractionPurpose(.reset, needsLongTouch: needsLongTouch), timedOut: .userActionTimeout)
    let (factory, session) = try mapError(
      (DeviceState.factory(random: random), PowerSession(random: random)), CTAPError.init(other:))
    try vault.update { (state) in state = factory }
    self.session = session
    signingKeys.removeAll()
    return []
  }
}
