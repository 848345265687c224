// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// record = { 0: 2, 2: time, ? 3: actor, ? 4: account, 5: event, ? 6: subject, 7: outcome, 8: requestID,
//            9: { name => text }, 10: { name => commitment }, 12: id }

/// The members of an audit record of version 2, for people.
struct AuditRecordText {
  /// The members with their names, in the order of the record.
  let members: [(name: String, text: String)]

  /// The commitments to personal details, by name.
  let commitments: [String: [UInt8]]

  /// Reads an entry of a log; nil if it is not an audit record of this version.
  init?(_ entry: Bytes) {
    guard let record = try? Self.read(entry) else { return nil }
    self = record
  }

  private init(members: [(name: String, text: String)], commitments: [String: [UInt8]]) {
    self.members = members
    self.commitments = commitments
  }

  private static func read(_ entry: Bytes) throws(WireError) -> AuditRecordText {
    let value = try CBORValue(parsing: entry, rules: .canonical)
    let reader = CBORKeyedReader<Key>(try value.map)
    guard try reader.unsigned(.version) == 2 else { throw WireError(.bytesUnknownVersion, at: value.offset) }
    var members = [(name: "id", text: Hex.encode(try reader.bytes(.id)))]
    let time = Timestamp(secondsSince1970: try reader.integer(.time))
    members.append(("time", time.rfc3339 ?? "\(time.secondsSince1970)"))
    members.append(("event", try reader.text(.event)))
    members.append(("outcome", try reader.text(.outcome)))
    for (name, key) in [("actor", Key.actor), ("account", .account)] {
      if let handle = try reader.bytesIfPresent(key) { members.append((name, Base64URL.encode(handle))) }
    }
    if let subject = try reader.textIfPresent(.subject) { members.append(("subject", subject)) }
    members.append(("requestId", try reader.text(.requestID)))
    for pair in try reader.require(.details, { (value) throws(WireError) in try value.map }) {
      members.append(("details.\(try pair.key.text)", try pair.value.text))
    }
    var commitments: [String: [UInt8]] = [:]
    for pair in try reader.require(.commitments, { (value) throws(WireError) in try value.map }) {
      commitments[try pair.key.text] = [UInt8](try pair.value.bytes)
    }
    return AuditRecordText(members: members, commitments: commitments)
  }

  private enum Key: UInt64, CBORMapKey {
    case version = 0
    case time = 2
    case actor = 3
    case account = 4
    case event = 5
    case subject = 6
    case outcome = 7
    case requestID = 8
    case details = 9
    case commitments = 10
    case id = 12
  }
}
