// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

// The outbox for administrators: the notices that wait for their delivery, and dead letters.

extension Endpoints {
  static let outbox = [
    Endpoint(
      name: .outbox, summary: "List the notices that wait for their delivery, and dead letters", answers: [.init()],
      failures: [.badRequest], access: .administrator { (endpoints, call, _) in try await endpoints.listNotices(call) }),
    Endpoint(
      name: .retryOutbox, summary: "Deliver the chosen notices now, also dead letters", answers: [.init()],
      access: .confirmedAdministrator { (endpoints, call, administrator, confirmation) in
        let selection = try endpoints.requiredSelection(call)
        return try await Self.counted(
          endpoints.service.requeue(selection, by: administrator, confirmation: confirmation, in: call.context))
      }),
    Endpoint(
      name: .dropOutbox, summary: "Delete the chosen notices without delivering them", answers: [.init()],
      access: .confirmedAdministrator { (endpoints, call, administrator, confirmation) in
        let selection = try endpoints.requiredSelection(call)
        return try await Self.counted(
          endpoints.service.drop(selection, by: administrator, confirmation: confirmation, in: call.context))
      }),
  ]

  // 100 notices  [some 30 kB]
  private static let pageLength: Int64 = 100

  private func listNotices(_ call: Call) async throws -> Reply {
    let parameters = try call.parameters()
    guard let selection = Self.selection(parameters) else { throw EndpointError(.targetMalformed) }
    let number = parameters.text(.pageAfter).map { Int64($0) } ?? 0
    let limit = min(parameters.integer(.pageLimit) ?? Self.pageLength, Self.pageLength)
    guard let number, number >= 0, limit > 0 else { throw EndpointError(.targetMalformed) }
    let items = try await service.outboxItems(selection, after: number, limit: Int(limit))
    let total = try await number > 0 || selection.notice != nil ? nil : outboxCount(selection)
    return Reply.values { (values) in
      values[.pageTotal] = total.map { .integer(Int64($0)) }
      values[.notices] = .list(items.map { self.values(of: $0, call) })
      if items.count == Int(limit), let last = items.last { values.set(.pageNext, "\(last.number)") }
    }
  }

  /// Counts the notices of a destination, or of all.
  private func outboxCount(_ selection: OutboxSelection) async throws -> Int {
    try await service.outboxCounts().reduce(0) { (sum, count) in
      guard selection.destination == nil || selection.destination == count.destination else { return sum }
      return sum + count.dead + (selection.deadOnly ? 0 : count.waiting)
    }
  }

  private func values(of item: OutboxItem, _ call: Call) -> ShapeValues {
    var values = ShapeValues()
    values[.noticeNumber] = .integer(item.number)
    values.set(.noticeID, item.notice.id.description)
    values.set(.noticeEvent, item.notice.event.rawValue)
    values.set(.noticeAccount, item.notice.account.map { call.accountIDs.text($0.bytes) })
    values.set(.noticeDestination, item.destination.rawValue)
    values.set(.noticeState, item.state.rawValue)
    values[.noticeFailures] = .integer(Int64(item.failedAttempts))
    values.set(.noticeTime, item.notice.time)
    values.set(.noticeDue, item.due)
    values.set(.noticeDied, item.died)
    values.set(.noticeReason, item.reason)
    return values
  }

  /// Returns the notices that a request body chooses. It must choose some, so that an empty body does not empty the outbox.
  private func requiredSelection(_ call: Call) throws -> OutboxSelection {
    guard let selection = Self.selection(try call.inputs()) else {
      throw EndpointError(.bodyInvalidMember, member: call.contract?.request?.path(of: .noticeID))
    }
    guard selection != OutboxSelection() else {
      throw EndpointError(.bodyMissingMember, member: call.contract?.request?.path(of: .noticeID))
    }
    return selection
  }

  /// Returns the chosen notices; nil if the identifier is malformed.
  private static func selection(_ values: ShapeValues) -> OutboxSelection? {
    let id = values.text(.noticeID).map { NoticeID($0) }
    if case .some(nil) = id { return nil }
    return OutboxSelection(
      notice: id ?? nil, destination: values.text(.noticeDestination).map { DestinationName(rawValue: $0) },
      deadOnly: values.boolean(.noticeDeadOnly) ?? false)
  }

  private static func counted(_ count: Int) -> Reply {
    Reply.values { $0[.noticeCount] = .integer(Int64(count)) }
  }
}
