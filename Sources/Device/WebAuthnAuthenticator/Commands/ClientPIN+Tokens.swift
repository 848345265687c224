// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension SoftwareAuthenticator {
  /// Executes clientPIN getPinToken (CTAP 2.3 §6.5.5.7.1), the token request of CTAP 2.0.
  func getPINToken(_ parameters: CommandParameters) throws(CTAPError) -> [UInt8] {
    // 1. The required parameters are present.
    let number = try parameters.unsigned(ClientPINKey.pinUVAuthProtocol)
    let platformKey = try platformKey(parameters)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is supported.
    let version = try PINProtocol(number: number)
    // 3. The request names no permissions,
    guard try parameters.unsignedIfPresent(ClientPINKey.permissions) == nil else {
      throw CTAPError(.invalidParameter, "permissions")
    }
    // 4. and no RP ID.
    guard try parameters.textIfPresent(ClientPINKey.relyingPartyID) == nil else {
      throw CTAPError(.invalidParameter, "rpId")
    }
    // 5. PIN attempts remain.
    try requirePINAttempts()
    // 6. Derive the shared secret.
    let secret = try sharedSecret(version, with: platformKey)
    // 7. The device has no display to ask for consent on.
    // 8 to 10. Verify the PIN.
    try requirePIN(pinHashEnc, secret)
    // 11. No PIN change is forced.
    guard try !vault.read().settings.forcesPINChange else {
      throw CTAPError(.pinInvalid, "the PIN must be changed")
    }
    // 12 to 14. Issue a new token with the default permissions.
    let token = try issueToken(
      version, .defaults, for: nil, isUserPresent: false, isWithoutPermissions: true)
    // 15. Return the encrypted token.
    return try reply(token, secret)
  }

  /// Executes clientPIN getPinUvAuthTokenUsingPinWithPermissions (§6.5.5.7.2).
  func getTokenUsingPIN(_ parameters: CommandParameters) throws(CTAPError) -> [UInt8] {
    // 1. The required parameters are present.
    let request = try TokenRequest(parameters)
    let platformKey = try platformKey(parameters)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is supported.
    let version = try PINProtocol(number: request.protocolNumber)
    // 3, 4. The request names at least one permission, and only permissions that the device supports.
    let permissions = try request.permissions(grantable: grantablePermissions)
    // 5. PIN attempts remain.
    try requirePINAttempts()
    // 6. Derive the shared secret.
    let secret = try sharedSecret(version, with: platformKey)
    // 7. The device has no display to ask for consent on.
    // 8 to 10. Verify the PIN.
    try requirePIN(pinHashEnc, secret)
    // 11. No PIN change is forced.
    guard try !vault.read().settings.forcesPINChange else {
      throw CTAPError(.pinPolicyViolation, "the PIN must be changed")
    }
    // 12. The pcmr permission returns the persistent token.
    if permissions == .persistentReading { return try reply(vault.read().persistentToken, secret) }
    // 13 to 16. Issue a new token with the requested permissions, bound to the RP ID.
    let token = try issueToken(version, permissions, for: request.relyingPartyID, isUserPresent: false)
    // 17. Return the encrypted token.
    return try reply(token, secret)
  }

  /// Executes clientPIN getPinUvAuthTokenUsingUvWithPermissions (§6.5.5.7.3).
  func getTokenUsingFinger(_ parameters: CommandParameters) async throws(CTAPError) -> [UInt8] {
    guard profile.hasFingerprintSensor else {
      throw CTAPError(.invalidSubcommand, "the device has no fingerprint sensor")
    }
    // 1. The required parameters are present.
    let request = try TokenRequest(parameters)
    let platformKey = try platformKey(parameters)
    // 2. The protocol is supported.
    let version = try PINProtocol(number: request.protocolNumber)
    // 3, 4. The request names at least one permission, and only permissions that the device supports.
    let permissions = try request.permissions(grantable: grantablePermissions)
    // The standard does not say when to derive the shared secret. Deriving it here rejects an invalid key before the
    // user has to touch the sensor.
    let secret = try sharedSecret(version, with: platformKey)
    // 5 to 10. Read one finger; the platform repeats the command to retry.
    try await verifyUser(
      for: InteractionPurpose(request.act, relyingPartyID: request.relyingPartyID), attempts: 1)
    // 11. The pcmr permission returns the persistent token.
    if permissions == .persistentReading { return try reply(vault.read().persistentToken, secret) }
    // 12 to 15. Issue a new token with the requested permissions, bound to the RP ID. The fingerprint proves presence.
    let token = try issueToken(version, permissions, for: request.relyingPartyID, isUserPresent: true)
    // 16. Return the encrypted token.
    return try reply(token, secret)
  }

  /// The permissions that this device can grant, consistent with the options of authenticatorGetInfo.
  private var grantablePermissions: PINPermission {
    profile.hasFingerprintSensor ? .defined : .defined.subtracting(.bioEnrollment)
  }

  private func reply(_ token: SecretBytes, _ secret: SharedSecret) throws(CTAPError) -> [UInt8] {
    let encrypted = try secret.encrypt(token, random: random)
    return CBORWriter.bytes(of: [ClientPINReplyKey.pinUVAuthToken: .bytes(encrypted)])
  }
}

/// The permissions and the RP ID of a token request.
private struct TokenRequest {
  let protocolNumber: UInt64
  let relyingPartyID: String?
  private let number: UInt64

  init(_ parameters: CommandParameters) throws(CTAPError) {
    protocolNumber = try parameters.unsigned(ClientPINKey.pinUVAuthProtocol)
    number = try parameters.unsigned(ClientPINKey.permissions)
    relyingPartyID = try parameters.textIfPresent(ClientPINKey.relyingPartyID)
    // §6.5.5.7, the table: the mc and ga permissions require an RP ID.
    if relyingPartyID == nil, !PINPermission(requested: number).isDisjoint(with: .defaults) {
      throw CTAPError(.missingParameter, "rpId")
    }
  }

  func permissions(grantable: PINPermission) throws(CTAPError) -> PINPermission {
    guard number != 0 else { throw CTAPError(.invalidParameter, "no permissions") }
    let permissions = PINPermission(requested: number)
    guard grantable.isSuperset(of: permissions) else {
      throw CTAPError(.unauthorizedPermission, "permissions \(number)")
    }
    // pcmr cannot be combined with other permissions.
    guard !permissions.contains(.persistentReading) || permissions == .persistentReading else {
      throw CTAPError(.unauthorizedPermission, "pcmr combined with other permissions")
    }
    return permissions
  }

  /// The act to show to the user.
  var act: InteractionPurpose.Act {
    switch PINPermission(requested: number) {
    case let asked where asked.contains(.makeCredential): .register
    case let asked where asked.contains(.getAssertion): .signIn
    default: .configure
    }
  }
}
