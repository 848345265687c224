// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

extension AuthService {
  /// Records an event of a server that embeds the service, such as an order, a changed limit, or a refusal.
  ///
  /// - Parameters:
  ///   - event: The kind of event.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - subject: The kind and the name of the event's object, such as an order and its number; or nil.
  ///   - outcome: `ok`, or the code of the error that refused the action.
  ///   - details: Further details by name. They must not contain personal data, because the trail keeps them forever.
  ///   - context: The time and origin of the request.
  /// - Throws: A storage code. The event is then not recorded, and the caller must not perform the action.
  public func record(
    _ event: AuditEvent, by session: AuthenticatedSession, subject: (kind: String, name: String)? = nil,
    outcome: String = "ok", details: [String: String] = [:], in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    try await append(
      draft(
        event, by: handle, of: handle, subject: AuditSubject(subject), outcome: outcome, details: details, in: context))
  }

  /// Reads entries of the audit trail in sequence. They contain IP and email addresses: show them only to
  /// administrators.
  ///
  /// - Parameters:
  ///   - sequence: The number of the last entry that the caller has; 0 for the beginning.
  ///   - account: The account whose entries to return; nil for all accounts.
  ///   - limit: The maximum number of entries.
  /// - Returns: The next entries; none at the end of the trail.
  /// - Throws: A storage code.
  package func auditEntries(
    after sequence: Int64 = 0, of account: UserHandle? = nil, limit: Int
  ) async throws(ServiceError) -> [AuditEntry] {
    try await stored(async: await storage.auditEntries(after: sequence, of: account, limit: limit))
  }

  /// Reads the latest records of changes to accounts: their creation, state, roles and erasure, the codes that
  /// administrators issued, and all events of a server that embeds the service. Refused changes are left out. Looks at no
  /// more than the latest 5,000 records of the trail.
  ///
  /// - Parameters:
  ///   - account: The account whose changes to return; nil for all accounts.
  ///   - actor: The origin of the changes to return; nil for all.
  ///   - event: The event of the changes to return; nil for all.
  ///   - since: The time from which changes are returned; nil for all.
  ///   - number: The number of the record before which to look; nil for the end of the trail.
  ///   - limit: The maximum number of entries.
  ///   - administrator: The proof of the right to administer accounts.
  /// - Returns: The entries, the latest first, and the number before which the next page begins; nil after the last page. A
  ///   page can be empty although others follow.
  /// - Throws: A storage code.
  package func recentChanges(
    of account: UserHandle? = nil, from actor: ChangeActor? = nil, event: AuditEvent? = nil, since: UnixTime? = nil,
    before number: Int64? = nil, limit: Int, by administrator: Administrator
  ) async throws(ServiceError) -> (entries: [AuditEntry], next: Int64?) {
    var end = try await lastAuditNumber()
    if let number { end = min(end, number - 1) }
    let oldest = max(0, end - Self.scannedRecordCount)
    var found: [AuditEntry] = []
    while end > oldest, found.count < limit {
      let start = max(oldest, end - Self.scannedPageLength)
      let page = try await auditEntries(after: start, limit: Int(end - start))
      for entry in page.reversed() {
        let record = entry.record
        if let since, record.time < since { return (found, nil) }
        guard record.outcome == AuditDraft.success,
          AuditEvent.accountChanges.contains(record.event) || record.event.isOfEmbedder,
          account == nil || record.account == account, actor?.made(record) != false,
          event == nil || record.event == event
        else { continue }
        if found.count == limit { return (found, found.last.map { $0.record.sequence }) }
        found.append(entry)
      }
      end = start
    }
    return (found, end > 0 ? end + 1 : nil)
  }

  // 5,000 records [sign-ins of a day on a small server; the trail has no index by event], 500 at once [some 250 kB]
  private static var scannedRecordCount: Int64 { 5_000 }
  private static var scannedPageLength: Int64 { 500 }
}
