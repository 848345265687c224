// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// An audit record as stored, not verified yet.
public struct StoredAuditRecord: Sendable {
  /// The index keys that the record is filed under.
  public var indexKeys: AuditIndexKeys

  /// The stored bytes.
  public var encoded: Bytes

  /// Whether the record has a place in the log.
  public var placement: AuditPlacement

  /// Creates a filed record from a store's row.
  public init(indexKeys: AuditIndexKeys, encoded: Bytes, placement: AuditPlacement = .none) {
    self.indexKeys = indexKeys
    self.encoded = encoded
    self.placement = placement
  }
}

/// A personal detail as stored, not verified yet.
public struct StoredPersonalDetail: Sendable {
  /// The sequence number of the record that the detail claims to belong to.
  public var sequence: Int64

  /// The detail.
  public var detail: PersonalDetail

  /// The stored time of the record, which determines when the detail expires.
  public var recorded: Timestamp

  /// Whether account erasure finds the detail only through the record, which must then name the detail's account.
  public var isFoundByRecord: Bool

  /// Creates a filed detail from a store's row.
  public init(sequence: Int64, detail: PersonalDetail, recorded: Timestamp, isFoundByRecord: Bool) {
    self.sequence = sequence
    self.detail = detail
    self.recorded = recorded
    self.isFoundByRecord = isFoundByRecord
  }
}

/// The index keys under which a store files a record. All of them are also in the record, where the chain or
/// the log protects them.
public struct AuditIndexKeys: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int64

  /// The account that the event concerns; without one, the actor; without either, the record's hash.
  public var person: UserHandle?

  /// The actor, if it is another account than ``person``.
  public var other: UserHandle?

  /// Creates keys from their stored fields.
  public init(sequence: Int64, person: UserHandle?, other: UserHandle?) {
    self.sequence = sequence
    self.person = person
    self.other = other
  }
}

extension AuditRecord {
  /// The index keys of the record.
  ///
  /// A record without accounts is filed under its own hash, which is not the handle of any account. Refusing an unknown
  /// client therefore takes the same number of writes as refusing an account, and timing does not reveal the
  /// difference.
  public var indexKeys: AuditIndexKeys {
    guard let person = account ?? actor else {
      return AuditIndexKeys(sequence: sequence, person: try? UserHandle(hash), other: nil)
    }
    return AuditIndexKeys(sequence: sequence, person: person, other: actor == person ? nil : actor)
  }

  /// Returns whether the record may be stored under `other`. Earlier versions stored records without accounts under no
  /// account key.
  func accepts(_ other: AuditIndexKeys) -> Bool {
    if account == nil, actor == nil, other == AuditIndexKeys(sequence: sequence, person: nil, other: nil) {
      return true
    }
    return indexKeys == other
  }
}
