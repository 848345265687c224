// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// Audit records and checkpoints as JSON lines.
///
/// A line of the audit log is `{"type":"record",…}`, `{"type":"checkpoint",…}` or `{"type":"store",…}`. A record
/// has the members of `audit show --json` without personal details, because deleting an account does not remove lines from a
/// file.
enum AuditJSON {
  /// Returns a record as `audit show --json` prints it, with its remaining personal details.
  static func line(_ entry: AuditEntry) -> [UInt8] {
    line(entry.record, type: nil, personalDetails: entry.personalDetails)
  }

  /// Returns a record's line in the audit log.
  static func logLine(_ record: AuditRecord) -> [UInt8] {
    line(record, type: "record", personalDetails: [])
  }

  /// Returns the line of a checkpoint of the log, with the number of the last record written before it, after which a
  /// restarted server continues. `audit verify --log` requires the log to extend it.
  static func logLine(checkpointNote note: Bytes, after number: Int64, at time: UnixTime) -> [UInt8] {
    let line = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", checkpointType)
      object.write("number", .integer(number))
      object.write("time", time)
      object.write("checkpoint", String(decoding: note, as: UTF8.self))
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// Returns the line that the store can no longer be used, or can be used again. It has no number.
  static func logLine(ofStore text: String, at time: UnixTime) -> [UInt8] {
    let line = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("type", "store")
      object.write("time", time)
      object.write("message", text)
    }
    return line + [UInt8(ascii: "\n")]
  }

  private static let checkpointType = "checkpoint"

  /// Returns the checkpoint in a line of the audit log, or nil if the line is another one or malformed.
  static func checkpoint(in line: some ByteSource) -> SignedNote? {
    guard let value = try? JSON.parse(Array(line)), (try? value["type"]?.string) == checkpointType,
      let text = try? value["checkpoint"]?.string
    else { return nil }
    return try? SignedNote(parsing: text.utf8)
  }

  private static func line(_ record: AuditRecord, type: String?, personalDetails: [PersonalDetail]) -> [UInt8] {
    let details =
      record.details.sorted { $0.key < $1.key }
      + personalDetails.map { (key: $0.name.rawValue, value: $0.value) }.sorted { $0.key < $1.key }
    let line = JSON.writeObject { (object: inout JSONObjectWriter) in
      if let type { object.write("type", type) }
      object.write("number", .integer(record.sequence))
      object.write("time", record.time)
      object.write("event", record.event.rawValue)
      object.write("outcome", record.outcome)
      if let actor = record.actor { object.write("actor", "\(actor)") }
      if let account = record.account { object.write("account", "\(account)") }
      if let subject = record.subject { object.write("subject", subject) }
      object.write("requestId", record.requestID)
      object.writeObject("details") { (inside) in
        for (name, value) in details { inside.write(name, value) }
      }
      object.write("hash", Hex.encode(record.hash))
      object.write("id", "\(record.id)")
    }
    return line + [UInt8(ascii: "\n")]
  }
}
