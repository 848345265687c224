// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService

/// The members of an audit record, for people.
struct AuditRecordText {
  /// The members with their names.
  let members: [(name: String, text: String)]

  /// The commitments to personal details, by name.
  let commitments: [String: [UInt8]]

  /// Reads an entry of a log; nil if it is not an audit record.
  init?(_ entry: Bytes) {
    guard let record = try? AuditRecord(parsing: entry) else { return nil }
    var members = [
      (name: "id", text: "\(record.id)"), ("time", record.time.rfc3339 ?? "\(record.time.secondsSince1970)"),
      ("event", record.event.rawValue), ("outcome", record.outcome),
    ]
    if let actor = record.actor { members.append(("actor", "\(actor)")) }
    if let account = record.account { members.append(("account", "\(account)")) }
    if let subject = record.subject { members.append(("subject", subject)) }
    members.append(("requestId", record.requestID))
    members += record.details.sorted { $0.key < $1.key }.map { ("details.\($0.key)", $0.value) }
    self.members = members
    commitments = record.commitments
  }
}
