// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension SoftwareAuthenticator {
  /// Executes clientPIN setPIN (CTAP 2.3 §6.5.5.5).
  func setPIN(_ parameters: CommandParameters) throws(CTAPError) -> [UInt8] {
    // 1. The required parameters are present.
    let number = try parameters.unsigned(ClientPINKey.pinUVAuthProtocol)
    let platformKey = try platformKey(parameters)
    let parameter = try parameters.bytes(ClientPINKey.pinUVAuthParameter)
    let newPINEnc = try parameters.bytes(ClientPINKey.newPINEnc)
    // 2. The protocol is supported.
    let version = try PINProtocol(number: number)
    // 3. No PIN is set.
    let state = try vault.read()
    guard state.pin == nil else { throw CTAPError(.pinAuthInvalid, "the device already has a PIN") }
    // 4. Derive the shared secret.
    let secret = try sharedSecret(version, with: platformKey)
    // 5. Verify the pinUVAuthParameter.
    try secret.verify(parameter, of: newPINEnc)
    // 6. Decrypt the padded PIN.
    let padded = try secret.decrypt(newPINEnc, failure: .pinAuthInvalid)
    // 7 to 11. The PIN meets the policy.
    let new = try NewPIN(padded: padded, settings: state.settings)
    // 12. Store the PIN with all its attempts. It replaces the owner's confirmation as user verification method.
    try vault.update { (state) throws(CTAPError) in
      guard state.pin == nil else { throw CTAPError(.pinAuthInvalid, "the device already has a PIN") }
      state.set(new.state)
    }
    return []
  }

  /// Executes clientPIN changePIN (§6.5.5.6).
  func changePIN(_ parameters: CommandParameters) throws(CTAPError) -> [UInt8] {
    // 1. The required parameters are present.
    let number = try parameters.unsigned(ClientPINKey.pinUVAuthProtocol)
    let platformKey = try platformKey(parameters)
    let parameter = try parameters.bytes(ClientPINKey.pinUVAuthParameter)
    let newPINEnc = try parameters.bytes(ClientPINKey.newPINEnc)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is supported.
    let version = try PINProtocol(number: number)
    // 3. PIN attempts remain.
    try requirePINAttempts()
    // 4. Derive the shared secret.
    let secret = try sharedSecret(version, with: platformKey)
    // 5. Verify the pinUVAuthParameter.
    try secret.verify(parameter, of: newPINEnc + pinHashEnc)
    // 6 to 8. Verify the current PIN and reset the attempt counters.
    try requirePIN(pinHashEnc, secret)
    // 9. Decrypt the padded new PIN.
    let padded = try secret.decrypt(newPINEnc, failure: .pinAuthInvalid)
    let persistentToken = try PINUVAuthToken.randomBytes(random)
    try vault.update { (state) throws(CTAPError) in
      // 10 to 12, 14. The new PIN meets the policy.
      let new = try NewPIN(padded: padded, settings: state.settings)
      // 13. If a PIN change is forced, the new PIN differs from the current one.
      if state.settings.forcesPINChange, state.pin?.hash == new.state.hash {
        throw CTAPError(.pinPolicyViolation, "the new PIN equals the old one")
      }
      // 15, 17, 18. Store the new PIN.
      state.pin = new.state
      // 16. Clear forcePINChange.
      state.settings.forcesPINChange = false
      // 20. Replace the persistent token.
      state.persistentToken = persistentToken
    }
    // 19. End the current token.
    session.token = nil
    // 21. Success.
    return []
  }
}
