// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension SoftwareAuthenticator {
  /// clientPIN setPIN (CTAP 2.3 §6.5.5.5).
  func setPIN(_ parameters: CommandParameters) throws(CTAPError) -> Bytes {
    // 1. What it takes is there.
    let number = try parameters.unsigned(ClientPINKey.pinUvAuthProtocol)
    let platformKey = try platformKey(parameters)
    let parameter = try parameters.bytes(ClientPINKey.pinUvAuthParam)
    let newPINEnc = try parameters.bytes(ClientPINKey.newPINEnc)
    // 2. The protocol is known.
    let version = try PINProtocol(number: number)
    // 3. There is no PIN yet.
    let state = try vault.read()
    guard state.pin == nil else { throw CTAPError(.pinAuthInvalid, "a PIN has been set") }
    // 4. The keys of this exchange.
    let secret = try sharedSecret(version, with: platformKey)
    // 5. The platform has them too.
    try secret.verify(parameter, of: newPINEnc)
    // 6. The PIN in its padding.
    let padded = try secret.decrypt(newPINEnc, failure: .pinAuthInvalid)
    // 7 to 11. It is one that may be set.
    let new = try NewPIN(padded: padded, settings: state.settings)
    // 12. It is, and may be tried as often as any; what stood in for it does so no longer.
    try vault.update { (state) throws(CTAPError) in
      guard state.pin == nil else { throw CTAPError(.pinAuthInvalid, "a PIN has been set") }
      state.set(new.state)
    }
    return []
  }

  /// clientPIN changePIN (§6.5.5.6).
  func changePIN(_ parameters: CommandParameters) throws(CTAPError) -> Bytes {
    // 1. What it takes is there.
    let number = try parameters.unsigned(ClientPINKey.pinUvAuthProtocol)
    let platformKey = try platformKey(parameters)
    let parameter = try parameters.bytes(ClientPINKey.pinUvAuthParam)
    let newPINEnc = try parameters.bytes(ClientPINKey.newPINEnc)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is known.
    let version = try PINProtocol(number: number)
    // 3. The PIN may still be tried.
    try requirePINAttempts()
    // 4. The keys of this exchange.
    let secret = try sharedSecret(version, with: platformKey)
    // 5. The platform has them too.
    try secret.verify(parameter, of: newPINEnc + pinHashEnc)
    // 6 to 8. The old PIN is right, and may be tried as often as any again.
    try requirePIN(pinHashEnc, secret)
    // 9. The new one in its padding.
    let padded = try secret.decrypt(newPINEnc, failure: .pinAuthInvalid)
    let persistentToken = try PINUVAuthToken.freshBytes(random)
    try vault.update { (state) throws(CTAPError) in
      // 10 to 12, 14. It is one that may be set.
      let new = try NewPIN(padded: padded, settings: state.settings)
      // 13. Where a change was demanded, it is one.
      if state.settings.forcesPINChange, state.pin?.hash == new.state.hash {
        throw CTAPError(.pinPolicyViolation, "the same PIN again")
      }
      // 15, 17, 18. It is set.
      state.pin = new.state
      // 16. No change is demanded any longer.
      state.settings.forcesPINChange = false
      // 20. The persistent token is another one.
      state.persistentToken = persistentToken
    }
    // 19. Every other token ends.
    session.token = nil
    // 21. Done.
    return []
  }
}
