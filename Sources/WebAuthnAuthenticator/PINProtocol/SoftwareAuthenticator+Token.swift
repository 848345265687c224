// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// What commands do with the PIN/UV auth token (CTAP 2.3 §6.5.3.2).
extension SoftwareAuthenticator {
  /// Demands that `parameter` authenticates `message` with the token in use, and that the token has `permission`.
  ///
  /// With a `relyingPartyID`, as for mc and ga, it must be that of the token, whose user must be verified; a token that is
  /// not bound yet is bound to it. Without one, the token's own is not looked at.
  ///
  /// A prototype command also takes a token of getPinToken: clients of CTAP 2.0 age know no permissions.
  ///
  /// `PUAT_REQUIRED` where there is no parameter, `MISSING_PARAMETER` where the protocol is not named, `INVALID_PARAMETER`
  /// where it is not known, else `PIN_AUTH_INVALID`.
  func authorize(
    _ parameter: Bytes?, protocol number: UInt64?, over message: Bytes, permission: PINPermission,
    relyingPartyID: String?, isPrototype: Bool = false
  ) throws(CTAPError) {
    guard let parameter else { throw CTAPError(.pinUVAuthTokenRequired) }
    let version = try PINProtocol(number: number)
    guard var token = currentToken, token.version == version else {
      throw CTAPError(.pinAuthInvalid, "no token of protocol \(version.rawValue) is in use")
    }
    try version.verify(parameter, of: message, key: token.bytes)
    guard token.allows(permission, isPrototype: isPrototype) else {
      throw CTAPError(.pinAuthInvalid, "permissions \(token.permissions.rawValue) without \(permission.rawValue)")
    }
    if let relyingPartyID {
      guard token.relyingPartyID ?? relyingPartyID == relyingPartyID else {
        throw CTAPError(.pinAuthInvalid, "a token of another relying party")
      }
      guard token.isUserVerified else { throw CTAPError(.pinAuthInvalid, "a token that has been spent") }
    }
    token.use(for: relyingPartyID)
    session.token = token
  }

  /// Demands the same of the persistent token, whichever protocol it was asked for with.
  func authorizeReading(_ parameter: Bytes, protocol number: UInt64?, over message: Bytes) throws(CTAPError) {
    let version = try PINProtocol(number: number)
    guard let token = try vault.read().persistentToken else { throw CTAPError(.pinAuthInvalid, "no persistent token") }
    try version.verify(parameter, of: message, key: token)
  }

  /// The token, where one is in use.
  var currentToken: PINUVAuthToken? {
    session.token.flatMap { (token) in token.isInUse(at: clock.uptime) ? token : nil }
  }

  /// Whether the token in use was given for a touch that still counts.
  var tokenShowsUserPresence: Bool { currentToken?.showsUserPresence(at: clock.uptime) ?? false }

  /// Takes back what the token allows but for writing large blobs, after a command for which the user was asked.
  func spendToken() {
    session.token?.spend()
  }

  /// Ends every token and issues a new one.
  func issueToken(
    _ version: PINProtocol, _ permissions: PINPermission, for relyingPartyID: String?, isUserPresent: Bool,
    isWithoutPermissions: Bool = false
  ) throws(CTAPError) -> SecretBytes {
    session.token = nil
    let bytes = try PINUVAuthToken.freshBytes(random)
    session.token = PINUVAuthToken(
      bytes: bytes, version: version, permissions: permissions, relyingPartyID: relyingPartyID,
      isUserPresent: isUserPresent, isWithoutPermissions: isWithoutPermissions, issued: clock.uptime)
    return bytes
  }

  /// The token that outlives the power, until the PIN is changed or the device reset. A vault of an earlier version gets it
  /// when it is first asked for.
  func issuePersistentToken() throws(CTAPError) -> SecretBytes {
    if let token = try vault.read().persistentToken { return token }
    let fresh = try PINUVAuthToken.freshBytes(random)
    return try vault.update { (state) in
      // Another process with the same vault may have been faster.
      let token = state.persistentToken ?? fresh
      state.persistentToken = token
      return token
    }
  }

  /// The keys of one exchange with a platform that sent this key (`decapsulate`).
  func sharedSecret(_ version: PINProtocol, with platformKey: COSEKey) throws(CTAPError) -> SharedSecret {
    try version.sharedSecret(session.keyAgreement[version], with: platformKey)
  }
}
