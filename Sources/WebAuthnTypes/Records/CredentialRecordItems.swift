// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The keys of a record's bytes.
enum CredentialRecordItem: UInt64, CaseIterable {
  case version, type, id, publicKey, signCount, uvInitialized, transports, backupEligible, backupState
  case attestationObject, attestationClientDataJSON, rpId, registered

  var key: CBORKey { .unsigned(rawValue) }
}

/// The items of a record that is being read; its version is known, and so is every key.
struct CredentialRecordItems {
  private let values: [CBORValue?]
  private let offset: Int

  /// Looks at each pair once: to look for each item anew would be to read most of the map each time.
  init(parsing bytes: Bytes) throws(FormatError) {
    let map: CBORMap
    do throws(WireError) {
      map = try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw FormatError(.credentialRecordMalformed, error)
    }
    var values = [CBORValue?](repeating: nil, count: CredentialRecordItem.allCases.count)
    var strangeKey: CBORValue?
    for (key, value) in map {
      if case .unsigned(let number) = key.kind, let item = CredentialRecordItem(rawValue: number) {
        values[Int(item.rawValue)] = value
      } else {
        strangeKey = strangeKey ?? key
      }
    }
    (self.values, offset) = (values, map.offset)
    let version = try require(.version) { (value) throws(WireError) in try value.unsigned }
    guard (1...CredentialRecord.version).contains(version) else {
      throw FormatError(.credentialRecordUnknownVersion, at: bytes.startIndex, member: "version")
    }
    // Of two ways to write a record, one would not be its own bytes.
    let registered = values[Int(CredentialRecordItem.registered.rawValue)]
    if version == 1, let registered { strangeKey = strangeKey ?? registered }
    guard version == 1 || registered != nil else {
      throw FormatError(.credentialRecordMissingMember, at: map.offset, member: "registered")
    }
    if let strangeKey { throw FormatError(.credentialRecordInvalidMember, at: strangeKey.offset) }
  }

  func require<Content>(
    _ item: CredentialRecordItem, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content {
    guard let content = try self.item(item, content) else {
      throw FormatError(.credentialRecordMissingMember, at: offset, member: "\(item)")
    }
    return content
  }

  func item<Content>(
    _ item: CredentialRecordItem, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    guard let value = values[Int(item.rawValue)] else { return nil }
    do throws(WireError) {
      return try content(value)
    } catch {
      throw FormatError(.credentialRecordInvalidMember, error, member: "\(item)")
    }
  }

  func credentialID() throws(FormatError) -> CredentialID {
    let bytes = try require(.id) { (value) throws(WireError) in try value.bytes }
    return try CredentialID(bytes)
  }

  func registered() throws(FormatError) -> Timestamp? {
    try item(.registered) { (value) throws(WireError) in
      guard let seconds = Int64(exactly: try value.unsigned) else {
        throw WireError(.cborNumberOutOfRange, at: value.offset)
      }
      return Timestamp(secondsSince1970: seconds)
    }
  }

  func relyingPartyID() throws(FormatError) -> RelyingPartyID? {
    let value = try item(.rpId) { (value) throws(WireError) in (offset: value.offset, text: try value.text) }
    guard let value else { return nil }
    do throws(FormatError) {
      return try RelyingPartyID(value.text)
    } catch {
      throw FormatError(error.code, at: value.offset, member: "rpId")
    }
  }
}
