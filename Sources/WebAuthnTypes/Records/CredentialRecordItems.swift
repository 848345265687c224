// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The keys of a record's bytes.
enum CredentialRecordItem: UInt64, CaseIterable {
  case version, type, id, publicKey, signCount, uvInitialized, transports, backupEligible, backupState
  case attestationObject, attestationClientDataJSON, rpId

  var key: CBORKey { .unsigned(rawValue) }
}

/// The items of a record that is being read; its version is known, and so is every key.
struct CredentialRecordItems {
  private let map: CBORMap

  init(parsing bytes: Bytes) throws(FormatError) {
    do throws(WireError) {
      map = try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw FormatError(.credentialRecordMalformed, error)
    }
    let version = try require(.version) { (value) throws(WireError) in try value.unsigned }
    guard version == CredentialRecord.version else {
      throw FormatError(.credentialRecordUnknownVersion, at: bytes.startIndex, member: "version")
    }
    for (key, _) in map {
      guard case .unsigned(let number) = key.kind, CredentialRecordItem(rawValue: number) != nil else {
        throw FormatError(.credentialRecordInvalidMember, at: key.offset)
      }
    }
  }

  func require<Content>(
    _ item: CredentialRecordItem, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content {
    guard let content = try self.item(item, content) else {
      throw FormatError(.credentialRecordMissingMember, at: map.offset, member: "\(item)")
    }
    return content
  }

  func item<Content>(
    _ item: CredentialRecordItem, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    guard let value = map[item.key] else { return nil }
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
