// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// Records something of a server's that embeds the service: an order, a change of a limit, a refusal.
  public func record(
    _ event: AuditEvent, by session: AuthenticatedSession, subject: AuditSubject?,
    outcome: String = AuditDraft.success, details: [String: String] = [:], in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    try await append(
      draft(event, by: handle, of: handle, subject: subject, outcome: outcome, details: details, in: context))
  }

  /// Entries of the audit trail in their order, from behind one of them; of one account where one is given. They have the
  /// addresses of whom they are about: show them to an administrator alone.
  public func auditEntries(
    after sequence: Int64 = 0, of account: UserHandle? = nil, limit: Int
  ) async throws(ServiceError) -> [AuditEntry] {
    try await ask { (storage) throws(StorageError) in
      try await storage.auditEntries(after: sequence, of: account, limit: limit)
    }
  }

  /// Walks the whole audit trail as it is at one moment, and throws at the first record that does not fit, is not filed as
  /// what it is, or should not be there. What is returned is its end: kept elsewhere, and given back as `knownHead`, it shows
  /// later that nothing was cut off or written anew.
  @discardableResult
  public func verifyAudit(knownHead: AuditHead? = nil) async throws(ServiceError) -> AuditHead {
    let walked = try await ask { (storage) throws(StorageError) in try await storage.walkAudit(over: knownHead) }
    return try walked.get()
  }
}
