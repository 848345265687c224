// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// One credential of a document during import.
struct PortableCredential {
  private let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
  }

  private enum Member: String, CaseIterable {
    case userHandle, type, id, publicKey, signCount, uvInitialized, transports, backupEligible, backupState
    case attestationObject, attestationClientDataJSON, rpId, registered
  }

  /// The credential ID, if it is valid.
  var id: CredentialID? {
    (try? json[Member.id.rawValue]?.base64URL).flatMap { $0 }.flatMap { try? CredentialID($0) }
  }

  /// Returns the credential if all its members are valid and consistent.
  func read(for relyingPartyID: RelyingPartyID) throws(CeremonyError) -> StoredCredential {
    let credential = try mapError(members(for: relyingPartyID)) { (error: FormatError) in
      CeremonyError(.importRecordMalformed, cause: .format(error))
    }
    let record = credential.record
    _ = try mapError(COSEKey(parsing: record.publicKey)) { (error: COSEError) in
      CeremonyError(.importKeyMalformed, cause: .key(error))
    }
    // §6.1.3: a credential that is not eligible for backup cannot be backed up.
    guard record.backupEligible || !record.backupState else {
      throw CeremonyError(.importRecordInconsistent, .init("backupState false or backupEligible true", "neither"))
    }
    guard record.relyingPartyID == relyingPartyID else {
      throw CeremonyError(
        .importRecordInconsistent, .init("rpId \(relyingPartyID)", record.relyingPartyID?.text ?? ""))
    }
    try checkAttestation(of: record)
    return credential
  }

  /// Verifies that the stored client data and attestation object, if present, belong to this credential.
  private func checkAttestation(of record: CredentialRecord) throws(CeremonyError) {
    let words: (clientData: ClientData?, authenticatorData: AuthenticatorData?)
    do throws(FormatError) {
      words = (
        try record.attestationClientDataJSON.map { (bytes) throws(FormatError) in try ClientData(parsing: bytes) },
        try record.attestationObject.map { (bytes) throws(FormatError) in
          try AttestationObject(parsing: bytes).authenticatorData
        }
      )
    } catch {
      throw CeremonyError(.importRecordMalformed, cause: .format(error))
    }
    if let type = words.clientData?.type {
      try require(type == .create, "client data of a registration", "\(type)")
    }
    guard let data = words.authenticatorData else { return }
    let attested = data.attestedCredentialData
    try require(
      attested?.credentialID.elementsEqual(record.id.bytes) == true, "an attestation of this credential",
      "another credential's")
    try require(
      attested?.credentialPublicKey.elementsEqual(record.publicKey) == true, "an attestation of this key",
      "another key's")
    guard let relyingPartyID = record.relyingPartyID else { return }
    let hash = Digest.sha256([UInt8](relyingPartyID.text.utf8))
    try require(
      data.relyingPartyIDHash.elementsEqual(hash), "an attestation for \(relyingPartyID)",
      Hex.encode(data.relyingPartyIDHash))
  }

  private func require(
    _ holds: Bool, _ expected: String, _ received: @autoclosure () -> String
  ) throws(CeremonyError) {
    if !holds { throw CeremonyError(.importRecordInconsistent, .init(expected, received())) }
  }
}

// MARK: The members

extension PortableCredential {
  private func members(for relyingPartyID: RelyingPartyID) throws(FormatError) -> StoredCredential {
    try refuseUnknownMembers()
    let type = try require(.type) { (value) throws(WireError) in try value.string }
    guard type == CredentialType.publicKey.rawValue else { throw invalid(.type) }
    let record = CredentialRecord(
      id: try identifier(.id),
      publicKey: try require(.publicKey) { (value) throws(WireError) in try value.base64URL },
      signCount: try require(.signCount) { (value) throws(WireError) in try value.integer() },
      uvInitialized: try require(.uvInitialized) { (value) throws(WireError) in try value.bool },
      transports: try require(.transports) { (value) throws(WireError) in
        var transports: [AuthenticatorTransport] = []
        for item in try value.array { transports.append(AuthenticatorTransport(rawValue: try item.string)) }
        return transports
      },
      backupEligible: try require(.backupEligible) { (value) throws(WireError) in try value.bool },
      backupState: try require(.backupState) { (value) throws(WireError) in try value.bool },
      attestationObject: try bytes(.attestationObject).map { [UInt8]($0) },
      attestationClientDataJSON: try bytes(.attestationClientDataJSON).map { [UInt8]($0) },
      relyingPartyID: try scope() ?? relyingPartyID,
      registered: try read(.registered) { (value) throws(WireError) in try UnixTime(rfc3339: value.string) })
    return StoredCredential(user: try identifier(.userHandle), record: record)
  }

  /// Refuses members that this version does not define, because the import would silently drop them.
  private func refuseUnknownMembers() throws(FormatError) {
    let members = try mapError(json.members) { (error: WireError) in FormatError(.credentialRecordMalformed, error) }
    for member in members where Member(rawValue: member.name) == nil {
      throw FormatError(.credentialRecordInvalidMember, at: member.nameOffset, member: member.name)
    }
  }

  private func require<Content>(
    _ member: Member, _ content: (JSONValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content {
    guard let content = try read(member, content) else {
      throw FormatError(.credentialRecordMissingMember, at: json.offset, member: member.rawValue)
    }
    return content
  }

  private func read<Content>(
    _ member: Member, _ content: (JSONValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    try mapError(json[member.rawValue]?.unlessNull.map(content)) { (error: WireError) in
      FormatError(.credentialRecordInvalidMember, error, member: member.rawValue)
    }
  }

  private func bytes(_ member: Member) throws(FormatError) -> Bytes? {
    try read(member) { (value) throws(WireError) in try value.base64URL[...] }
  }

  private func identifier<Identifier: OpaqueBytes>(_ member: Member) throws(FormatError) -> Identifier {
    let bytes = try require(member) { (value) throws(WireError) in try value.base64URL }
    return try mapError(Identifier(bytes)) { (error: FormatError) in fault(error.code, member) }
  }

  private func scope() throws(FormatError) -> RelyingPartyID? {
    guard let text = try read(.rpId, { (value) throws(WireError) in try value.string }) else { return nil }
    return try mapError(RelyingPartyID(text)) { (error: FormatError) in fault(error.code, .rpId) }
  }

  private func invalid(_ member: Member) -> FormatError {
    fault(.credentialRecordInvalidMember, member)
  }

  private func fault(_ code: FormatError.Code, _ member: Member) -> FormatError {
    let value = try? json[member.rawValue]
    return FormatError(code, at: value?.offset ?? json.offset, member: member.rawValue)
  }
}
