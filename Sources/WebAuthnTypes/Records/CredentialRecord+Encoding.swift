// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// record = { 0: version, 1: type, 2: id, 3: publicKey, 4: signCount, 5: uvInitialized, 6: [transport…],
//            7: backupEligible, 8: backupState, ? 9: attestationObject, ? 10: attestationClientDataJSON, ? 11: rpId,
//            ? 12: registered }
//
// Version 2 has the item registered, and version 1 has not: a record without it is written as version 1.
//
// CBOR in canonical form, so that one record is one run of bytes. A key that this version does not have is refused: a
// record that was read and written again would lose it.

extension CredentialRecord {
  /// The latest version of the bytes. It grows when they change; older versions stay readable.
  public static let version: UInt64 = 2

  /// The record as bytes for a store.
  public var encoded: [UInt8] {
    var pairs: [CBORKey: CBORTree] = [
      CredentialRecordItem.version.key: .unsigned(registered == nil ? 1 : Self.version),
      CredentialRecordItem.type.key: .text(type.rawValue),
      CredentialRecordItem.id.key: .bytes([UInt8](id.bytes)),
      CredentialRecordItem.publicKey.key: .bytes([UInt8](publicKey)),
      CredentialRecordItem.signCount.key: .unsigned(UInt64(signCount)),
      CredentialRecordItem.uvInitialized.key: .bool(uvInitialized),
      CredentialRecordItem.transports.key: .array(transports.map { .text($0.rawValue) }),
      CredentialRecordItem.backupEligible.key: .bool(backupEligible),
      CredentialRecordItem.backupState.key: .bool(backupState),
    ]
    pairs[CredentialRecordItem.attestationObject.key] = attestationObject.map { .bytes([UInt8]($0)) }
    pairs[CredentialRecordItem.attestationClientDataJSON.key] = attestationClientDataJSON.map { .bytes([UInt8]($0)) }
    pairs[CredentialRecordItem.rpId.key] = relyingPartyID.map { .text($0.text) }
    pairs[CredentialRecordItem.registered.key] = registered.map { .unsigned(UInt64(clamping: $0.secondsSince1970)) }
    return CBORWriter.bytes(of: .map(pairs))
  }

  /// Reads a record that is all of `bytes`, as ``encoded`` wrote them.
  public init(parsing bytes: Bytes) throws(FormatError) {
    let items = try CredentialRecordItems(parsing: bytes)
    type = CredentialType(rawValue: try items.require(.type) { (value) throws(WireError) in try value.text })
    id = try items.credentialID()
    publicKey = try items.require(.publicKey) { (value) throws(WireError) in try value.bytes }
    signCount = try items.require(.signCount) { (value) throws(WireError) in
      guard let count = UInt32(exactly: try value.unsigned) else {
        throw WireError(.cborNumberOutOfRange, at: value.offset)
      }
      return count
    }
    uvInitialized = try items.require(.uvInitialized) { (value) throws(WireError) in try value.bool }
    transports = try items.require(.transports) { (value) throws(WireError) in
      var transports: [AuthenticatorTransport] = []
      for element in try value.array { transports.append(AuthenticatorTransport(rawValue: try element.text)) }
      return transports
    }
    backupEligible = try items.require(.backupEligible) { (value) throws(WireError) in try value.bool }
    backupState = try items.require(.backupState) { (value) throws(WireError) in try value.bool }
    attestationObject = try items.item(.attestationObject) { (value) throws(WireError) in try value.bytes }
    attestationClientDataJSON = try items.item(.attestationClientDataJSON) { (value) throws(WireError) in
      try value.bytes
    }
    relyingPartyID = try items.relyingPartyID()
    registered = try items.registered()
  }
}
