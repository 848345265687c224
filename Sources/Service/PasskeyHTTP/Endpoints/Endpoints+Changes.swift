// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

// The feed of recent changes to accounts, and of an embedding server's events, from the audit trail.

extension Endpoints {
  static let changes = [
    Endpoint(
      name: .changes, summary: "List changes to accounts, the latest first, one page at a time", answers: [.init()],
      failures: [.badRequest], access: .administrator { try await $0.listChanges($1, $2) })
  ]

  /// The actor of changes that no account made.
  private static let server = "server"

  // 100 changes  [a page of the list; a client shows ten]
  private static let maximumChangeCount: Int64 = 100

  private func listChanges(_ call: Call, _ administrator: Administrator) async throws -> Reply {
    let parameters = try call.parameters()
    let limit = parameters.integer(.pageLimit) ?? Self.maximumChangeCount
    guard limit > 0 else { throw EndpointError(.targetMalformed) }
    let actor = try parameters.text(.changeActor).map { (text) in
      try text == Self.server ? ChangeActor.server : .account(call.accountID(text))
    }
    let before = parameters.text(.pageAfter).map { Int64($0) }
    if case .some(nil) = before { throw EndpointError(.targetMalformed) }
    let (entries, next) = try await service.recentChanges(
      of: parameters.text(.changeAccount).map { try call.accountID($0) }, from: actor,
      event: parameters.text(.changeEvent).map { AuditEvent(rawValue: $0) }, since: parameters.time(.changeSince),
      before: before ?? nil, limit: Int(min(limit, Self.maximumChangeCount)), by: administrator)
    let accounts = Set(entries.flatMap { [$0.record.actor, $0.record.account].compactMap(\.self) })
    let names = try await service.names(of: accounts, by: administrator)
    return Reply.values { (values) in
      values[.changes] = .list(entries.map { self.values(of: $0.record, names, call) })
      values.set(.pageNext, next.map(String.init))
    }
  }

  private func values(of record: AuditRecord, _ names: [UserHandle: String], _ call: Call) -> ShapeValues {
    var values = ShapeValues()
    values.set(.changeID, Self.changeID(record))
    values.set(.changeTime, record.time)
    // The ID, because anyone can choose a name such as `server`.
    values.set(.changeActor, record.actor.map { call.accountIDs.text($0.bytes) } ?? Self.server)
    values.set(.changeAccount, record.account.map { call.accountIDs.text($0.bytes) })
    values.set(.changeActorName, record.actor.flatMap { names[$0] })
    values.set(.changeAccountName, record.account.flatMap { names[$0] })
    values.set(.changeEvent, record.event.rawValue)
    values.set(.changeSummary, Self.summary(record))
    values.set(.changeDetails, details(of: record, call))
    values.set(.changeCategory, record.event.isOfEmbedder ? record.event.area : "user")
    return values
  }

  /// Returns a UUID of application-defined content (version 8, RFC 9562 §5.8): the beginning of the record's hash.
  private static func changeID(_ record: AuditRecord) -> String {
    var bytes = Array(record.hash.prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return AccountIDForm.uuid.text(bytes)
  }

  /// Returns the change in one sentence.
  private static func summary(_ record: AuditRecord) -> String {
    switch record.event {
    case .accountCreated: "An account was created."
    case .accountApproved: "An account was approved."
    case .accountRejected: "An account was rejected."
    case .accountDisabled: "An account was disabled."
    case .accountEnabled: "An account was enabled."
    case .accountRolesSet: "The roles of an account were set."
    case .accountErased: "An account was erased."
    case .invitationIssued: "An invitation was issued."
    case .recoveryIssued: "A recovery code was issued."
    default: record.event.rawValue
    }
  }

  /// Returns the account that was changed, and the details of the change.
  private func details(of record: AuditRecord, _ call: Call) -> String {
    var parts = record.account.map { ["account \(call.accountIDs.text($0.bytes))"] } ?? []
    parts += record.details.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return parts.joined(separator: ", ")
  }
}
