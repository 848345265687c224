// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// record = { 0: version, 1: type, 2: id, 3: publicKey, 4: signCount, 5: uvInitialized, 6: [transport…],
//            7: backupEligible, 8: backupState, ? 9: attestationObject, ? 10: attestationClientDataJSON, ? 11: rpId,
//            ? 12: registered }
//
// The encoding is canonical CBOR, so equal records have equal bytes. Unknown keys are rejected: parsing and writing a
// record would otherwise drop them.

extension CredentialRecord {
  /// The version of the encoding.
  package static let version: UInt64 = 2

  /// The record, serialized for storage.
  public var encoded: [UInt8] {
    var pairs: [CBORKey: CBORTree] = [
      CredentialRecordItem.version.key: .unsigned(Self.version),
      CredentialRecordItem.type.key: .text(type.rawValue),
      CredentialRecordItem.id.key: .bytes(id.bytes),
      CredentialRecordItem.publicKey.key: .bytes(publicKey),
      CredentialRecordItem.signCount.key: .unsigned(UInt64(signCount)),
      CredentialRecordItem.uvInitialized.key: .bool(uvInitialized),
      CredentialRecordItem.transports.key: .array(transports.map { .text($0.rawValue) }),
      CredentialRecordItem.backupEligible.key: .bool(backupEligible),
      CredentialRecordItem.backupState.key: .bool(backupState),
    ]
    pairs[CredentialRecordItem.attestationObject.key] = attestationObject.map { .bytes($0) }
    pairs[CredentialRecordItem.attestationClientDataJSON.key] = attestationClientDataJSON.map { .bytes($0) }
    pairs[CredentialRecordItem.rpId.key] = relyingPartyID.map { .text($0.text) }
    pairs[CredentialRecordItem.registered.key] = registered.map { .unsigned(UInt64(clamping: $0.secondsSince1970)) }
    return CBORWriter.bytes(of: .map(pairs))
  }

  /// Parses a record that is all of `bytes`.
  ///
  /// - Throws: `credential-record.malformed`, `credential-record.missing-member`, `credential-record.invalid-member`,
  ///   `credential-record.unknown-version`, or the code of an invalid identifier.
  public init(parsing bytes: [UInt8]) throws(FormatError) {
    let items = try CredentialRecordItems(parsing: bytes)
    type = CredentialType(rawValue: try items.text(.type))
    id = try CredentialID(items.bytes(.id))
    publicKey = [UInt8](try items.bytes(.publicKey))
    signCount = try items.require(.signCount) { (value) throws(WireError) in
      guard let count = UInt32(exactly: try value.unsigned) else {
        throw WireError(.cborNumberOutOfRange, at: value.offset)
      }
      return count
    }
    uvInitialized = try items.bool(.uvInitialized)
    transports = try items.require(.transports) { (value) throws(WireError) in
      try value.texts.map { AuthenticatorTransport(rawValue: $0) }
    }
    backupEligible = try items.bool(.backupEligible)
    backupState = try items.bool(.backupState)
    attestationObject = try items.bytesIfPresent(.attestationObject).map { [UInt8]($0) }
    attestationClientDataJSON = try items.bytesIfPresent(.attestationClientDataJSON).map { [UInt8]($0) }
    relyingPartyID = try items.relyingPartyID()
    registered = try items.registered()
  }
}

/// The keys of an encoded record.
enum CredentialRecordItem: UInt64, CaseIterable {
  case version, type, id, publicKey, signCount, uvInitialized, transports, backupEligible, backupState
  case attestationObject, attestationClientDataJSON, rpId, registered

  var key: CBORKey { .unsigned(rawValue) }
}

/// The items of a record being parsed, after its version and keys have been checked.
struct CredentialRecordItems: MemberReader {
  private let values: [CBORValue?]
  private let offset: Int

  /// Collects the items in one pass. Looking up each item would walk the map once per item.
  init(parsing bytes: some ByteSource) throws(FormatError) {
    let bytes = bytes.slice
    let map: CBORMap
    do throws(WireError) {
      map = try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw FormatError(.credentialRecordMalformed, error)
    }
    var values = [CBORValue?](repeating: nil, count: CredentialRecordItem.allCases.count)
    var unknownKey: CBORValue?
    for (key, value) in map {
      if case .unsigned(let number) = key.kind, let item = CredentialRecordItem(rawValue: number) {
        values[Int(item.rawValue)] = value
      } else {
        unknownKey = unknownKey ?? key
      }
    }
    (self.values, offset) = (values, map.offset)
    guard try unsigned(.version) == CredentialRecord.version else {
      throw FormatError(.credentialRecordUnknownVersion, at: bytes.startIndex, member: "version")
    }
    if let unknownKey { throw FormatError(.credentialRecordInvalidMember, at: unknownKey.offset) }
  }

  func lookUp(_ item: CredentialRecordItem) -> CBORValue? { values[Int(item.rawValue)] }

  func missing(_ item: CredentialRecordItem) -> FormatError {
    FormatError(.credentialRecordMissingMember, at: offset, member: "\(item)")
  }

  func invalid(_ item: CredentialRecordItem, _ cause: WireError) -> FormatError {
    FormatError(.credentialRecordInvalidMember, cause, member: "\(item)")
  }

  func registered() throws(FormatError) -> UnixTime? {
    try optional(.registered) { (value) throws(WireError) in
      guard let seconds = Int64(exactly: try value.unsigned) else {
        throw WireError(.cborNumberOutOfRange, at: value.offset)
      }
      return UnixTime(secondsSince1970: seconds)
    }
  }

  func relyingPartyID() throws(FormatError) -> RelyingPartyID? {
    let value = try optional(.rpId) { (value) throws(WireError) in (offset: value.offset, text: try value.text) }
    guard let value else { return nil }
    do throws(FormatError) {
      return try RelyingPartyID(value.text)
    } catch {
      throw FormatError(error.code, at: value.offset, member: "rpId")
    }
  }
}
