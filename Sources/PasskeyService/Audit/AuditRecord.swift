// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
public import WireFormats

// record = { 0: version, 1: sequence, 2: time, ? 3: actor, ? 4: account, 5: event, ? 6: subject, 7: outcome,
//            8: requestID, 9: { name => text }, 10: { name => commitment }, 11: hash of the previous record }
//
// CBOR in canonical form; the record's own hash is the SHA-256 of these bytes.

/// A link of the audit chain: an event, and the hash of the previous record.
public struct AuditRecord: Hashable, Sendable {
  /// The version of the encoding. It increases when the encoding changes; older versions stay readable.
  public static let version: UInt64 = 1

  /// The encoded record: the bytes that are hashed and stored.
  public let encoded: [UInt8]

  /// SHA-256 of ``encoded``.
  public let hash: [UInt8]

  /// The sequence number. It starts at 1 and has no gaps.
  public let sequence: Int64

  /// The time of the event.
  public let time: Timestamp

  /// The account that acted; nil for a client that is not signed in and for the server's own console.
  public let actor: UserHandle?

  /// The account that the event concerns.
  public let account: UserHandle?

  /// The kind of event.
  public let event: AuditEvent

  /// The object of the event.
  public let subject: String?

  /// `ok`, or the code of the error that refused the action.
  public let outcome: String

  /// The request ID.
  public let requestID: String

  /// Further details by name.
  public let details: [String: String]

  /// The commitments to the personal details, by detail name.
  public let commitments: [String: [UInt8]]

  /// The hash of the previous record; zeros for the first record.
  public let previousHash: [UInt8]

  /// The end of the chain after this record.
  public var head: AuditHead { AuditHead(sequence: sequence, hash: hash) }

  init(_ draft: AuditDraft, after head: AuditHead) {
    // Saturates at the maximum sequence number; verification of the chain would detect that.
    sequence = head.sequence == .max ? .max : head.sequence + 1
    time = draft.time
    actor = draft.actor
    account = draft.account
    event = draft.event
    subject = draft.subject
    outcome = draft.outcome
    requestID = draft.requestID
    details = draft.details
    commitments = Dictionary(draft.personalDetails.map { ($0.name.rawValue, $0.commitment) }) { first, _ in first }
    previousHash = head.hash
    encoded = Self.encode(
      draft, sequence: sequence, commitments: commitments, previousHash: previousHash)
    hash = Digest.sha256(encoded)
  }

  /// Parses the bytes of ``encoded``. Throws ``ServiceError/Code/auditRecordMalformed`` if they are invalid.
  public init(parsing bytes: Bytes) throws(ServiceError) {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let members = CBORKeyedReader<Key>(map)
      let found = try members.unsigned(.version)
      guard found == Self.version else { throw ServiceError(.auditRecordMalformed, "version \(found)") }
      for pair in map where Key(rawValue: try pair.key.unsigned) == nil {
        throw ServiceError(.auditRecordMalformed, "an unknown member")
      }
      sequence = try members.integer(.sequence)
      time = Timestamp(secondsSince1970: try members.integer(.time))
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
      previousHash = [UInt8](try members.bytes(.previousHash))
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(.auditRecordMalformed, "\(error)")
    }
    encoded = [UInt8](bytes)
    hash = Digest.sha256(bytes)
  }

  /// Parses a record.
  ///
  /// - Throws: `audit.record-malformed`.
  @inlinable
  public init(parsing bytes: some Collection<UInt8>) throws(ServiceError) {
    try self.init(parsing: Bytes(bytes))
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
  }

  /// Encodes a record. Writes the parts directly, in key order, for speed: stores seal records inside their
  /// transactions.
  private static func encode(
    _ draft: AuditDraft, sequence: Int64, commitments: [String: [UInt8]], previousHash: [UInt8]
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: expectedByteCount)
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: version)
      map.write(.sequence, integer: sequence)
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
      map.write(.previousHash, bytes: previousHash)
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
public struct AuditEntry: Hashable, Sendable {
  /// The record.
  public var record: AuditRecord

  /// The personal details that have not been erased.
  public var personalDetails: [PersonalDetail]

  /// Creates an entry from a store's records.
  public init(record: AuditRecord, personalDetails: [PersonalDetail]) {
    self.record = record
    self.personalDetails = personalDetails
  }
}
