// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// The enumerating subcommands of authenticatorCredentialManagement (CTAP 2.3 §6.8.3, §6.8.4): one entry per response.
extension SoftwareAuthenticator {
  /// Executes enumerateRPsBegin: returns the first relying party and the total.
  func enumerateRPsBegin(_ request: CredentialManagementRequest) throws(CTAPError) -> [UInt8] {
    // 1 to 6. The token authorizes reading for every relying party.
    let authorization = try authorizeReading(request, over: [request.byte])
    // 7. At least one discoverable credential exists.
    session.sequences.relyingParties = nil
    let relyingParties = try vault.read().relyingParties
    guard let first = relyingParties.first else { throw CTAPError(.noCredentials) }
    // 8, 9. Return the first relying party and the total.
    session.sequences.relyingParties = CredentialEnumeration(
      remaining: relyingParties.dropFirst(), authorization: authorization)
    return reply(relyingPartyOf: first, count: relyingParties.count)
  }

  /// Executes enumerateRPsGetNextRP: returns the next relying party.
  func enumerateRPsGetNextRP() throws(CTAPError) -> [UInt8] {
    let next = try advance(\.relyingParties)
    return reply(relyingPartyOf: next, count: nil)
  }

  /// Executes enumerateCredentialsBegin: returns the first credential of a relying party and the total.
  func enumerateCredentialsBegin(_ request: CredentialManagementRequest) throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let hash = try request.parameters.bytes(CredentialManagementKey.relyingPartyIDHash)
    guard hash.count == Self.relyingPartyIDHashByteCount else {
      throw CTAPError(.invalidParameter, "a hash of \(hash.count) bytes")
    }
    // 3 to 6. The token authorizes reading for this relying party.
    let authorization = try authorizeReading(request, over: [request.byte] + request.encodedParameters, about: hash)
    // 7. At least one credential exists. The newest comes first, as in assertions.
    session.sequences.credentials = nil
    let credentials = try vault.read().passkeys.reversed().filter { (passkey) in
      passkey.isDiscoverable && passkey.relyingPartyIDHash.elementsEqual(hash)
    }
    guard let first = credentials.first else { throw CTAPError(.noCredentials) }
    // 8, 9. Return the first credential and the total.
    let answer = try reply(credential: first, count: credentials.count)
    session.sequences.credentials = CredentialEnumeration(
      remaining: credentials.dropFirst(), authorization: authorization)
    return answer
  }

  /// Executes enumerateCredentialsGetNextCredential: returns the next credential.
  func enumerateCredentialsGetNextCredential() throws(CTAPError) -> [UInt8] {
    let next = try advance(\.credentials)
    return try reply(credential: next, count: nil)
  }

  private static let relyingPartyIDHashByteCount = 32

  private func advance(
    _ kind: WritableKeyPath<CommandSequences, CredentialEnumeration?>
  ) throws(CTAPError) -> StoredPasskey {
    guard var enumeration = session.sequences[keyPath: kind] else {
      throw CTAPError(.notAllowed, "no enumeration was begun")
    }
    // A failure ends the enumeration.
    session.sequences[keyPath: kind] = nil
    guard isInForce(enumeration.authorization) else { throw CTAPError(.notAllowed, "the token has expired") }
    guard let next = enumeration.remaining.popFirst() else {
      throw CTAPError(.notAllowed, "the enumeration is complete")
    }
    session.sequences[keyPath: kind] = enumeration
    return next
  }
}

// MARK: Responses

extension SoftwareAuthenticator {
  private func reply(relyingPartyOf passkey: StoredPasskey, count: Int?) -> [UInt8] {
    var relyingParty: [CBORKey: CBORTree] = [:]
    relyingParty["id"] = passkey.relyingPartyID.map(CBORTree.text)
    relyingParty["name"] = passkey.relyingPartyName.map(CBORTree.text)
    var answer: [CBORKey: CBORTree] = [
      CredentialManagementReplyKey.relyingParty: .map(relyingParty),
      CredentialManagementReplyKey.relyingPartyIDHash: .bytes(passkey.relyingPartyIDHash),
    ]
    answer[CredentialManagementReplyKey.relyingPartyCount] = count.map { (count) in .unsigned(UInt64(count)) }
    return CBORWriter.bytes(of: .map(answer))
  }

  private func reply(credential passkey: StoredPasskey, count: Int?) throws(CTAPError) -> [UInt8] {
    var answer: [CBORKey: CBORTree] = [
      CredentialManagementReplyKey.credentialID: CredentialDescriptor(type: .publicKey, id: passkey.id).tree,
      CredentialManagementReplyKey.publicKey: try signingKey(of: passkey).publicKey.tree,
      CredentialManagementReplyKey.protection: .unsigned(UInt64(passkey.protection.rawValue)),
      CredentialManagementReplyKey.thirdPartyPayment: .bool(passkey.allowsThirdPartyPayment),
    ]
    answer[CredentialManagementReplyKey.user] = passkey.user?.tree
    answer[CredentialManagementReplyKey.credentialCount] = count.map { (count) in .unsigned(UInt64(count)) }
    answer[CredentialManagementReplyKey.largeBlobKey] = passkey.largeBlobKey.map { (key) in .bytes(key.exposedBytes) }
    return CBORWriter.bytes(of: .map(answer))
  }
}

extension DeviceState {
  /// The first discoverable credential of each relying party.
  fileprivate var relyingParties: [StoredPasskey] {
    var seen: Set<[UInt8]> = []
    return passkeys.filter { (passkey) in
      passkey.isDiscoverable && seen.insert(passkey.relyingPartyIDHash).inserted
    }
  }
}
