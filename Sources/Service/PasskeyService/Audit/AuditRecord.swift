// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeyTransparencyLog
package import WebAuthnTypes

// record = { 0: version, ? 1: sequence, 2: time, ? 3: actor, ? 4: account, 5: event, ? 6: subject, 7: outcome,
//            8: requestID, 9: { name => text }, 10: { name => commitment }, ? 11: hash of the previous record, ? 12: id }
//
// CBOR in canonical form. Version 1 is a link of a chain, with members 1 and 11; its hash is the SHA-256 of these bytes.
// Version 2 is an entry of a log, with member 12; its hash is that of the Merkle tree's leaf.

/// A record of the audit trail: an event, as a link of a chain or as an entry of a log.
package struct AuditRecord: Hashable, Sendable {
  /// The encoded record: the bytes that are hashed and stored.
  package let encoded: [UInt8]

  /// The hash of ``encoded``: SHA-256 in a chain, and the hash of the tree's leaf in a log.
  package let hash: [UInt8]

  /// The sequence number. In a chain it is part of the record, starts at 1 and has no gaps. In a log it is only the
  /// number that the store files the record under: it rises within an account, and has gaps.
  package let sequence: Int64

  /// The form of the trail that the record belongs to.
  package let form: Form

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

  /// The two forms of the audit trail.
  package enum Form: Hashable, Sendable {
    /// A chain: each record contains the hash of the previous one, and the first record zeros.
    case chain(previousHash: [UInt8])
    /// A log: each record has an ID, and a Merkle tree contains its hash.
    case log(AuditRecordID)

    fileprivate var version: UInt64 {
      switch self {
      case .chain: 1
      case .log: 2
      }
    }
  }

  /// The hash of the previous record of a chain.
  package var previousHash: [UInt8]? {
    if case .chain(let hash) = form { hash } else { nil }
  }

  /// The ID of a log's record.
  package var id: AuditRecordID? {
    if case .log(let id) = form { id } else { nil }
  }

  /// The end of the chain after this record.
  package var head: AuditHead { AuditHead(sequence: sequence, hash: hash) }

  /// Creates the next record of a chain.
  init(_ draft: AuditDraft, after head: AuditHead) {
    // Saturates at the maximum sequence number; verification of the chain would detect that.
    self.init(
      draft, sequence: head.sequence == .max ? .max : head.sequence + 1, form: .chain(previousHash: head.hash))
  }

  /// Creates a record.
  init(_ draft: AuditDraft, sequence: Int64, form: Form) {
    self.sequence = sequence
    self.form = form
    time = draft.time
    actor = draft.actor
    account = draft.account
    event = draft.event
    subject = draft.subject
    outcome = draft.outcome
    requestID = draft.requestID
    details = draft.details
    commitments = Dictionary(draft.personalDetails.map { ($0.name.rawValue, $0.commitment) }) { first, _ in first }
    encoded = Self.encode(draft, sequence: sequence, form: form, commitments: commitments)
    hash = form.hash(of: encoded[...])
  }

  /// Parses the bytes of ``encoded``.
  ///
  /// - Parameters:
  ///   - bytes: The encoded record.
  ///   - number: The number that a log's record is filed under. A chain's record contains its number.
  /// - Throws: `audit.record-malformed`.
  package init(parsing bytes: Bytes, number: Int64 = 0) throws(ServiceError) {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let members = CBORKeyedReader<Key>(map)
      for pair in map where Key(rawValue: try pair.key.unsigned) == nil {
        throw ServiceError(.auditRecordMalformed, "an unknown member")
      }
      switch try members.unsigned(.version) {
      case 1:
        sequence = try members.integer(.sequence)
        form = .chain(previousHash: [UInt8](try members.bytes(.previousHash)))
        try Self.require(members, without: [.id])
      case 2:
        sequence = number
        guard let id = AuditRecordID(try members.bytes(.id)) else {
          throw ServiceError(.auditRecordMalformed, "an invalid ID")
        }
        form = .log(id)
        try Self.require(members, without: [.sequence, .previousHash])
      case let version: throw ServiceError(.auditRecordMalformed, "version \(version)")
      }
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
    hash = form.hash(of: bytes)
  }

  /// Parses a record.
  ///
  /// - Throws: `audit.record-malformed`.
  @inlinable
  package init(parsing bytes: some Collection<UInt8>, number: Int64 = 0) throws(ServiceError) {
    try self.init(parsing: Bytes(bytes), number: number)
  }

  private static func require(_ members: CBORKeyedReader<Key>, without keys: [Key]) throws(ServiceError) {
    guard keys.allSatisfy({ members.lookUp($0) == nil }) else {
      throw ServiceError(.auditRecordMalformed, "a member of another version")
    }
  }

  private enum Key: UInt64, CBORMapKey {
    case version = 0
    case sequence = 1
    case time = 2
    case actor = 3
    case account = 4
    case event = 5
    case subject = 6
    case outcome = 7
    case requestID = 8
    case details = 9
    case commitments = 10
    case previousHash = 11
    case id = 12
  }

  /// Encodes a record. Writes the parts directly, in key order, for speed: stores seal records inside their
  /// transactions.
  private static func encode(
    _ draft: AuditDraft, sequence: Int64, form: Form, commitments: [String: [UInt8]]
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: expectedByteCount)
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: form.version)
      if case .chain = form { map.write(.sequence, integer: sequence) }
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
      switch form {
      case .chain(let previousHash): map.write(.previousHash, bytes: previousHash)
      case .log(let id): map.write(.id, bytes: id.bytes)
      }
    }
    return writer.bytes
  }

  // The size of a sign-in record, with some margin.
  private static let expectedByteCount = 512
}

extension AuditRecord.Form {
  fileprivate func hash(of encoded: Bytes) -> [UInt8] {
    switch self {
    case .chain: Digest.sha256(encoded)
    case .log: [UInt8](TreeHash(ofEntry: encoded).bytes)
    }
  }
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
