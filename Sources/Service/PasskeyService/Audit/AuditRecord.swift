// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyTransparencyLog
package import WebAuthnTypes

// record = { 0: version, 1: id, 2: time, ? 3: actor, ? 4: account, 5: event, ? 6: subject, 7: outcome, 8: requestID,
//            9: { name => text }, 10: { name => commitment } }
//
// CBOR in canonical form. The version is 1.

/// A record of the audit trail: an event, as an entry of the log.
package struct AuditRecord: Hashable, Sendable {
  /// The encoded record: the bytes that are hashed and stored.
  package let encoded: [UInt8]

  /// The hash of the tree's leaf.
  package let hash: [UInt8]

  /// The number that the store files the record under. It is not part of the record. It rises within an account, and has
  /// gaps.
  package let sequence: Int64

  /// The ID.
  package let id: AuditRecordID

  /// The time of the event.
  package let time: UnixTime

  /// The account that acted; nil for a client that is not signed in and for the server's own console.
  package let actor: UserHandle?

  /// The account that the event concerns.
  package let account: UserHandle?

  /// The kind of event.
  package let event: AuditEvent

  /// The object of the event.
  package let subject: String?

  /// `ok`, or the code of the error that refused the action.
  package let outcome: String

  /// The request ID.
  package let requestID: String

  /// Further details by name.
  package let details: [String: String]

  /// The commitments to the personal details, by detail name.
  package let commitments: [String: [UInt8]]

  /// Creates a record.
  init(_ draft: AuditDraft, sequence: Int64) {
    self.sequence = sequence
    id = draft.id
    time = draft.time
    actor = draft.actor
    account = draft.account
    event = draft.event
    subject = draft.subject
    outcome = draft.outcome
    requestID = draft.requestID
    details = draft.details
    commitments = Dictionary(draft.personalDetails.map { ($0.name.rawValue, $0.commitment) }) { first, _ in first }
    encoded = Self.encode(draft, commitments: commitments)
    hash = [UInt8](TreeHash(ofEntry: encoded).bytes)
  }

  /// Parses the bytes of ``encoded``.
  ///
  /// - Parameters:
  ///   - bytes: The encoded record.
  ///   - number: The number that the record is filed under.
  /// - Throws: `audit.record-malformed`.
  package init(parsing bytes: Bytes, number: Int64 = 0) throws(ServiceError) {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let members = CBORKeyedReader<Key>(map)
      for pair in map where Key(rawValue: try pair.key.unsigned) == nil {
        throw ServiceError(.auditRecordMalformed, "an unknown member")
      }
      let version = try members.unsigned(.version)
      guard version == Self.version else { throw ServiceError(.auditRecordMalformed, "version \(version)") }
      guard let id = AuditRecordID(try members.bytes(.id)) else {
        throw ServiceError(.auditRecordMalformed, "an invalid ID")
      }
      self.id = id
      sequence = number
      time = UnixTime(secondsSince1970: try members.integer(.time))
      actor = try members.bytesIfPresent(.actor).map { try UserHandle($0) }
      account = try members.bytesIfPresent(.account).map { try UserHandle($0) }
      event = AuditEvent(rawValue: try members.text(.event))
      subject = try members.textIfPresent(.subject)
      outcome = try members.text(.outcome)
      requestID = try members.text(.requestID)
      details = try members.require(.details) { (value) throws(WireError) in
        var details: [String: String] = [:]
        for pair in try value.map { details[try pair.key.text] = try pair.value.text }
        return details
      }
      commitments = try members.require(.commitments) { (value) throws(WireError) in
        var commitments: [String: [UInt8]] = [:]
        for pair in try value.map { commitments[try pair.key.text] = [UInt8](try pair.value.bytes) }
        return commitments
      }
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(.auditRecordMalformed, "\(error)")
    }
    encoded = [UInt8](bytes)
    hash = [UInt8](TreeHash(ofEntry: bytes).bytes)
  }

  /// Parses a record.
  ///
  /// - Throws: `audit.record-malformed`.
  @inlinable
  package init(parsing bytes: some Collection<UInt8>, number: Int64 = 0) throws(ServiceError) {
    try self.init(parsing: Bytes(bytes), number: number)
  }

  private static let version: UInt64 = 1

  private enum Key: UInt64, CBORMapKey {
    case version = 0
    case id = 1
    case time = 2
    case actor = 3
    case account = 4
    case event = 5
    case subject = 6
    case outcome = 7
    case requestID = 8
    case details = 9
    case commitments = 10
  }

  /// Encodes a record. Writes the parts directly, in key order, for speed: stores do it inside their transactions.
  private static func encode(_ draft: AuditDraft, commitments: [String: [UInt8]]) -> [UInt8] {
    var writer = CBORWriter(capacity: expectedByteCount)
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: version)
      map.write(.id, bytes: draft.id.bytes)
      map.write(.time, integer: draft.time.secondsSince1970)
      if let actor = draft.actor { map.write(.actor, bytes: actor.bytes) }
      if let account = draft.account { map.write(.account, bytes: account.bytes) }
      map.write(.event, text: draft.event.rawValue)
      if let subject = draft.subject { map.write(.subject, text: subject) }
      map.write(.outcome, text: draft.outcome)
      map.write(.requestID, text: draft.requestID)
      map.writeMap(.details, keyedBy: CBORKey.self) { (details) in
        for (name, text) in draft.details.sorted(by: { $0.key.precedesInCanonicalOrder($1.key) }) {
          details.write(.text(name), text: text)
        }
      }
      map.writeMap(.commitments, keyedBy: CBORKey.self) { (map) in
        for (name, commitment) in commitments.sorted(by: { $0.key.precedesInCanonicalOrder($1.key) }) {
          map.write(.text(name), bytes: commitment)
        }
      }
    }
    return writer.bytes
  }

  // The size of a sign-in record, with some margin.
  private static let expectedByteCount = 512
}

extension String {
  /// Returns whether the key sorts first in canonical form: shorter keys first, then bytewise.
  fileprivate func precedesInCanonicalOrder(_ other: String) -> Bool {
    utf8.count == other.utf8.count ? utf8.lexicographicallyPrecedes(other.utf8) : utf8.count < other.utf8.count
  }
}

/// An audit record with the personal details that have not been erased.
package struct AuditEntry: Hashable, Sendable {
  /// The record.
  package var record: AuditRecord

  /// The personal details that have not been erased.
  package var personalDetails: [PersonalDetail]

  /// Creates an entry from a store's records.
  package init(record: AuditRecord, personalDetails: [PersonalDetail]) {
    self.record = record
    self.personalDetails = personalDetails
  }
}
