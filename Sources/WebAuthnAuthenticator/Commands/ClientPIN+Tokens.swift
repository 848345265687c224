// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

extension SoftwareAuthenticator {
  /// clientPIN getPinToken (CTAP 2.3 §6.5.5.7.1), which CTAP 2.0 had.
  func getPINToken(_ parameters: CommandParameters) throws(CTAPError) -> Bytes {
    // 1. What it takes is there.
    let number = try parameters.unsigned(ClientPINKey.pinUvAuthProtocol)
    let platformKey = try platformKey(parameters)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is known.
    let version = try PINProtocol(number: number)
    // 3. It does not say what for,
    guard try parameters.optionalUnsigned(ClientPINKey.permissions) == nil else {
      throw CTAPError(.invalidParameter, "permissions")
    }
    // 4. nor for whom.
    guard try parameters.optionalText(ClientPINKey.relyingPartyID) == nil else {
      throw CTAPError(.invalidParameter, "rpId")
    }
    // 5. The PIN may still be tried.
    try requirePINAttempts()
    // 6. The keys of this exchange.
    let secret = try sharedSecret(version, with: platformKey)
    // 7. There is no display to ask for consent on.
    // 8 to 10. The PIN is right.
    try requirePIN(pinHashEnc, secret)
    // 11. It does not have to be changed first.
    guard try !vault.read().settings.forcesPINChange else {
      throw CTAPError(.pinInvalid, "the PIN has to be changed")
    }
    // 12 to 14. A new token, with the usual permissions.
    let token = try issueToken(
      version, .usual, for: nil, isUserPresent: false, isWithoutPermissions: true)
    // 15. The platform gets it.
    return try reply(token, secret)
  }

  /// clientPIN getPinUvAuthTokenUsingPinWithPermissions (§6.5.5.7.2).
  func getTokenUsingPIN(_ parameters: CommandParameters) throws(CTAPError) -> Bytes {
    // 1. What it takes is there.
    let request = try TokenRequest(parameters)
    let platformKey = try platformKey(parameters)
    let pinHashEnc = try parameters.bytes(ClientPINKey.pinHashEnc)
    // 2. The protocol is known.
    let version = try PINProtocol(number: request.protocolNumber)
    // 3, 4. It is asked for something, and for nothing that the device cannot grant.
    let permissions = try request.permissions(grantable: grantablePermissions)
    // 5. The PIN may still be tried.
    try requirePINAttempts()
    // 6. The keys of this exchange.
    let secret = try sharedSecret(version, with: platformKey)
    // 7. There is no display to ask for consent on.
    // 8 to 10. The PIN is right.
    try requirePIN(pinHashEnc, secret)
    // 11. It does not have to be changed first.
    guard try !vault.read().settings.forcesPINChange else {
      throw CTAPError(.pinPolicyViolation, "the PIN has to be changed")
    }
    // 12. The persistent token is one of its own.
    if permissions == .persistentReading { return try reply(issuePersistentToken(), secret) }
    // 13 to 16. A new token, with these permissions, for this RP ID.
    let token = try issueToken(version, permissions, for: request.relyingPartyID, isUserPresent: false)
    // 17. The platform gets it.
    return try reply(token, secret)
  }

  /// clientPIN getPinUvAuthTokenUsingUvWithPermissions (§6.5.5.7.3).
  func getTokenUsingFinger(_ parameters: CommandParameters) async throws(CTAPError) -> Bytes {
    guard profile.hasFingerprintSensor else { throw CTAPError(.invalidSubcommand, "there is no sensor") }
    // 1. What it takes is there.
    let request = try TokenRequest(parameters)
    let platformKey = try platformKey(parameters)
    // 2. The protocol is known.
    let version = try PINProtocol(number: request.protocolNumber)
    // 3, 4. It is asked for something, and for nothing that the device cannot grant.
    let permissions = try request.permissions(grantable: grantablePermissions)
    // The standard does not say where the keys of this exchange are made: before the user is troubled.
    let secret = try sharedSecret(version, with: platformKey)
    // 5 to 10. One finger is enough; the platform tries again itself.
    try await verifyUser(
      for: InteractionPurpose(request.act, relyingPartyID: request.relyingPartyID), attempts: 1)
    // 11. The persistent token is one of its own.
    if permissions == .persistentReading { return try reply(issuePersistentToken(), secret) }
    // 12 to 15. A new token, with these permissions, for this RP ID. A finger on the sensor is a user who is present.
    let token = try issueToken(version, permissions, for: request.relyingPartyID, isUserPresent: true)
    // 16. The platform gets it.
    return try reply(token, secret)
  }

  /// What a token can be asked for: what the options of authenticatorGetInfo say.
  private var grantablePermissions: PINPermission {
    profile.hasFingerprintSensor ? .defined : .defined.subtracting(.bioEnrollment)
  }

  private func reply(_ token: SecretBytes, _ secret: SharedSecret) throws(CTAPError) -> Bytes {
    let encrypted = try secret.encrypt(token, random: random)
    return CBORWriter.bytes(of: [ClientPINAnswerKey.pinUvAuthToken: .bytes(encrypted)])[...]
  }
}

/// What a token is asked for, and for whom.
private struct TokenRequest {
  let protocolNumber: UInt64
  let relyingPartyID: String?
  private let number: UInt64

  init(_ parameters: CommandParameters) throws(CTAPError) {
    protocolNumber = try parameters.unsigned(ClientPINKey.pinUvAuthProtocol)
    number = try parameters.unsigned(ClientPINKey.permissions)
    relyingPartyID = try parameters.optionalText(ClientPINKey.relyingPartyID)
    // §6.5.5.7, the table: what is for one relying party names it.
    if relyingPartyID == nil, !PINPermission(requested: number).isDisjoint(with: .usual) {
      throw CTAPError(.missingParameter, "rpId")
    }
  }

  func permissions(grantable: PINPermission) throws(CTAPError) -> PINPermission {
    guard number != 0 else { throw CTAPError(.invalidParameter, "no permissions") }
    let permissions = PINPermission(requested: number)
    guard grantable.isSuperset(of: permissions) else {
      throw CTAPError(.unauthorizedPermission, "permissions \(number)")
    }
    // To read for good is asked for alone.
    guard !permissions.contains(.persistentReading) || permissions == .persistentReading else {
      throw CTAPError(.unauthorizedPermission, "pcmr with others")
    }
    return permissions
  }

  /// What the user is told.
  var act: InteractionPurpose.Act {
    switch PINPermission(requested: number) {
    case let asked where asked.contains(.makeCredential): .register
    case let asked where asked.contains(.getAssertion): .signIn
    default: .configure
    }
  }
}
