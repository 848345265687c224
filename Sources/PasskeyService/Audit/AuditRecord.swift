// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
public import WireFormats

// record = { 0: version, 1: sequence, 2: time, ? 3: actor, ? 4: account, 5: event, ? 6: subject, 7: outcome,
//            8: requestID, 9: { name => text }, 10: { name => commitment }, 11: hash of the record before }
//
// CBOR in canonical form; the record's own hash is the SHA-256 of these bytes.

/// A link of the audit chain: what happened, and the hash of the record before it.
public struct AuditRecord: Hashable, Sendable {
  /// The version of the bytes. It grows when they change; older versions stay readable.
  public static let version: UInt64 = 1

  /// The record as bytes, which are what is hashed and what a store keeps.
  public let encoded: [UInt8]

  /// SHA-256 of ``encoded``.
  public let hash: [UInt8]

  /// Its number: the first has 1, and there are no gaps.
  public let sequence: Int64

  /// When it happened.
  public let time: Timestamp

  /// The account that did it; nil for whoever was not signed in, and for the server's own console.
  public let actor: UserHandle?

  /// The account that it happened to.
  public let account: UserHandle?

  /// What happened.
  public let event: AuditEvent

  /// What it happened to.
  public let subject: String?

  /// `ok`, or the code of the error with which it was refused.
  public let outcome: String

  /// The request's id.
  public let requestID: String

  /// What else there is to know.
  public let details: [String: String]

  /// What the record has of personal details: commitments by the details' names.
  public let commitments: [String: [UInt8]]

  /// The hash of the record before it; zeros for the first.
  public let previousHash: [UInt8]

  /// The chain's end, where this is the last record.
  public var head: AuditHead { AuditHead(sequence: sequence, hash: hash) }

  init(_ draft: AuditDraft, after head: AuditHead) {
    // The number stays what it is at the end of all numbers; verifying the chain would find that.
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
    hash = Digest.sha256(encoded[...])
  }

  /// Reads what ``encoded`` wrote.
  public init(parsing bytes: Bytes) throws(ServiceError) {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let found = try map.require(Key.version.cbor).unsigned
      guard found == Self.version else { throw ServiceError(.auditRecordMalformed, "version \(found)") }
      for pair in map where Key(rawValue: try pair.key.unsigned) == nil {
        throw ServiceError(.auditRecordMalformed, "a member that is not known")
      }
      sequence = try map.require(Key.sequence.cbor).integer
      time = Timestamp(secondsSince1970: try map.require(Key.time.cbor).integer)
      actor = try map[Key.actor.cbor].map { try UserHandle($0.bytes) }
      account = try map[Key.account.cbor].map { try UserHandle($0.bytes) }
      event = AuditEvent(rawValue: try map.require(Key.event.cbor).text)
      subject = try map[Key.subject.cbor].map { try $0.text }
      outcome = try map.require(Key.outcome.cbor).text
      requestID = try map.require(Key.requestID.cbor).text
      var details: [String: String] = [:]
      for pair in try map.require(Key.details.cbor).map { details[try pair.key.text] = try pair.value.text }
      self.details = details
      var commitments: [String: [UInt8]] = [:]
      for pair in try map.require(Key.commitments.cbor).map {
        commitments[try pair.key.text] = [UInt8](try pair.value.bytes)
      }
      self.commitments = commitments
      previousHash = [UInt8](try map.require(Key.previousHash.cbor).bytes)
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(.auditRecordMalformed, "\(error)")
    }
    encoded = [UInt8](bytes)
    hash = Digest.sha256(bytes)
  }

  private enum Key: UInt64 {
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

    var cbor: CBORKey { .unsigned(rawValue) }
  }

  /// Written in parts, keys in their order, because a store does it inside its transactions.
  private static func encode(
    _ draft: AuditDraft, sequence: Int64, commitments: [String: [UInt8]], previousHash: [UInt8]
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: expectedByteCount)
    let optionalCount = (draft.actor == nil ? 0 : 1) + (draft.account == nil ? 0 : 1) + (draft.subject == nil ? 0 : 1)
    writer.beginMap(9 + optionalCount)
    func begin(_ key: Key) { writer.write(integer: Int64(key.rawValue)) }
    begin(.version)
    writer.write(integer: Int64(version))
    begin(.sequence)
    writer.write(integer: sequence)
    begin(.time)
    writer.write(integer: draft.time.secondsSince1970)
    if let actor = draft.actor {
      begin(.actor)
      writer.write(bytes: actor.bytes)
    }
    if let account = draft.account {
      begin(.account)
      writer.write(bytes: account.bytes)
    }
    begin(.event)
    writer.write(text: draft.event.rawValue)
    if let subject = draft.subject {
      begin(.subject)
      writer.write(text: subject)
    }
    begin(.outcome)
    writer.write(text: draft.outcome)
    begin(.requestID)
    writer.write(text: draft.requestID)
    begin(.details)
    writer.beginMap(draft.details.count)
    for (name, text) in draft.details.sorted(by: { $0.key.precedesInCanonicalOrder($1.key) }) {
      writer.write(text: name)
      writer.write(text: text)
    }
    begin(.commitments)
    writer.beginMap(commitments.count)
    for (name, commitment) in commitments.sorted(by: { $0.key.precedesInCanonicalOrder($1.key) }) {
      writer.write(text: name)
      writer.write(bytes: commitment)
    }
    begin(.previousHash)
    writer.write(bytes: previousHash)
    return writer.bytes
  }

  // What a sign-in's record has, and some more.
  private static let expectedByteCount = 512
}

extension String {
  /// The order of a map's keys in canonical form: shorter ones first, and by their bytes among those of one length.
  fileprivate func precedesInCanonicalOrder(_ other: String) -> Bool {
    utf8.count == other.utf8.count ? utf8.lexicographicallyPrecedes(other.utf8) : utf8.count < other.utf8.count
  }
}
