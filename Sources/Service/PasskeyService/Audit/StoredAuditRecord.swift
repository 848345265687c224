// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// An audit record as stored, not verified yet.
package struct StoredAuditRecord: Sendable {
  /// The index keys that the record is filed under.
  package var indexKeys: AuditIndexKeys

  /// The stored bytes.
  package var encoded: Bytes

  /// Whether the record has a place in the log.
  package var placement: AuditPlacement

  /// Creates a filed record from a store's row.
  package init(indexKeys: AuditIndexKeys, encoded: Bytes, placement: AuditPlacement) {
    self.indexKeys = indexKeys
    self.encoded = encoded
    self.placement = placement
  }
}

/// A personal detail as stored, not verified yet.
package struct StoredPersonalDetail: Sendable {
  /// The sequence number of the record that the detail claims to belong to.
  package var sequence: Int64

  /// The detail.
  package var detail: PersonalDetail

  /// The stored time of the record, which determines when the detail expires.
  package var recorded: UnixTime

  /// Whether account erasure finds the detail only through the record, which must then name the detail's account.
  package var isFoundByRecord: Bool

  /// Creates a filed detail from a store's row.
  package init(sequence: Int64, detail: PersonalDetail, recorded: UnixTime, isFoundByRecord: Bool) {
    self.sequence = sequence
    self.detail = detail
    self.recorded = recorded
    self.isFoundByRecord = isFoundByRecord
  }
}

/// The index keys under which a store files a record. All but the number are also in the record, where the log protects
/// them.
package struct AuditIndexKeys: Hashable, Sendable {
  /// The record's number.
  package var sequence: Int64

  /// The account that the event concerns; without one, the actor; without either, the record's hash.
  package var person: UserHandle?

  /// The actor, if it is another account than ``person``.
  package var other: UserHandle?

  /// Creates keys from their stored fields.
  package init(sequence: Int64, person: UserHandle?, other: UserHandle?) {
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
  package var indexKeys: AuditIndexKeys {
    guard let person = account ?? actor else {
      return AuditIndexKeys(sequence: sequence, person: try? UserHandle(hash), other: nil)
    }
    return AuditIndexKeys(sequence: sequence, person: person, other: actor == person ? nil : actor)
  }
}
