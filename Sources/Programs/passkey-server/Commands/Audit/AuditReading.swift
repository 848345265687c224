// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyStorage
internal import PasskeySystem
internal import WebAuthnTypes

/// Reads a part of the audit trail, or of one account's records, and counts the records after it.
struct AuditReading {
  let store: OpenStore
  let account: UserHandle?

  /// The requested part of the records.
  enum Part: Sendable {
    /// The oldest records, up to a count.
    case first(Int, after: Int64)
    /// The newest records, up to a count.
    case last(Int, after: Int64)
  }

  func read(_ part: Part) async throws(CommandFailure) -> (entries: [AuditEntry], rest: Int64) {
    switch part {
    case .first(let count, let sequence):
      let entries = try await page(after: sequence, limit: count)
      guard entries.count == count, let last = entries.last else { return (entries, 0) }
      return (entries, try await remainder(after: last.record.sequence))
    case .last(let count, var sequence):
      // The numbers have few gaps, so a wider range is read only if records are missing in the first one.
      let (oldest, newest) = (sequence, try await end)
      var width = Int64(clamping: count)
      while true {
        if account == nil { sequence = max(oldest, newest - width) }
        var entries: [AuditEntry] = []
        try await walk(after: sequence) { (page) in entries = (entries + page).suffix(count) }
        if entries.count == count || sequence == oldest { return (entries, 0) }
        width = width.multipliedReportingOverflow(by: 4).overflow ? .max : max(4, width * 4)
      }
    }
  }

  private func remainder(after sequence: Int64) async throws(CommandFailure) -> Int64 {
    if account == nil { return max(0, try await end - sequence) }
    var count: Int64 = 0
    try await walk(after: sequence) { (page) in count += Int64(page.count) }
    return count
  }

  /// The number of the newest record.
  private var end: Int64 {
    get async throws(CommandFailure) {
      try await mapError(async: await store.service.lastAuditNumber(), CommandFailure.init)
    }
  }

  private func walk(after start: Int64, _ body: ([AuditEntry]) -> Void) async throws(CommandFailure) {
    var sequence = start
    while true {
      let page = try await page(after: sequence, limit: Self.pageLength)
      guard let last = page.last else { return }
      body(page)
      sequence = last.record.sequence
    }
  }

  private func page(after sequence: Int64, limit: Int) async throws(CommandFailure) -> [AuditEntry] {
    try await mapError(
      async: await store.service.auditEntries(after: sequence, of: account, limit: limit), CommandFailure.init)
  }

  // 1,000 records [about half a megabyte]
  private static let pageLength = 1_000
}
