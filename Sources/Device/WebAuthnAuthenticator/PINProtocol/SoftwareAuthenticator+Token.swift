// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// Token verification and state changes (CTAP 2.3 §6.5.3.2).
extension SoftwareAuthenticator {
  /// Verifies that `parameter` authenticates `message` with the token in use, and that the token has `permission`.
  ///
  /// With a `relyingPartyID`, as for mc and ga, the token must be bound to it and its user must be verified. An unbound
  /// token becomes bound to it. Without a `relyingPartyID`, the token's binding is not checked.
  ///
  /// A prototype command also accepts a token of getPinToken, because clients of CTAP 2.0 cannot request permissions.
  ///
  /// Throws `PUAT_REQUIRED` without a parameter, `MISSING_PARAMETER` without a protocol, `INVALID_PARAMETER` for an
  /// unsupported protocol, and otherwise `PIN_AUTH_INVALID`.
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
      guard token.isUserVerified else { throw CTAPError(.pinAuthInvalid, "a token that was used already") }
    }
    token.use(for: relyingPartyID)
    session.token = token
  }

  /// Verifies that `parameter` authenticates `message` with the persistent token, with either protocol.
  func authorizeReading(_ parameter: Bytes, protocol number: UInt64?, over message: Bytes) throws(CTAPError) {
    let version = try PINProtocol(number: number)
    try version.verify(parameter, of: message, key: vault.read().persistentToken)
  }

  /// The token in use, or nil without an unexpired token.
  var currentToken: PINUVAuthToken? {
    session.token.flatMap { (token) in token.isInUse(at: clock.uptime) ? token : nil }
  }

  /// Whether the user presence collected with the token in use is still valid.
  var tokenShowsUserPresence: Bool { currentToken?.showsUserPresence(at: clock.uptime) ?? false }

  /// Revokes all permissions except writing large blobs, after a command that asked for user presence.
  func spendToken() {
    session.token?.spend()
  }

  /// Ends the current token and issues a new one.
  func issueToken(
    _ version: PINProtocol, _ permissions: PINPermission, for relyingPartyID: String?, isUserPresent: Bool,
    isWithoutPermissions: Bool = false
  ) throws(CTAPError) -> SecretBytes {
    session.token = nil
    let bytes = try PINUVAuthToken.randomBytes(random)
    session.token = PINUVAuthToken(
      bytes: bytes, version: version, permissions: permissions, relyingPartyID: relyingPartyID,
      isUserPresent: isUserPresent, isWithoutPermissions: isWithoutPermissions, issued: clock.uptime)
    return bytes
  }

  /// Derives the shared keys from the platform's key agreement key (`decapsulate`).
  func sharedSecret(_ version: PINProtocol, with platformKey: COSEKey) throws(CTAPError) -> SharedSecret {
    try version.sharedSecret(session.keyAgreement[version], with: platformKey)
  }
}
