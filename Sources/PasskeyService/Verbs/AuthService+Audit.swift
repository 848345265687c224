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
  /// what it is, or should not be there.
  ///
  /// The end has to be sealed with this server's secret (``AuditKey``), so records that were cut off and a chain that was
  /// rewritten are found without anything that was kept elsewhere. `checksSeal: false` is for a copy of the store where the
  /// secret is not at hand. An older copy of the whole store, put in place of the newer, has a seal that fits: give its end
  /// from elsewhere as `knownHead`, and the walk has to lead over it.
  ///
  /// - Returns: The end of the chain, to be kept elsewhere.
  @discardableResult
  public func verifyAudit(
    knownHead: AuditHead? = nil, checksSeal: Bool = true
  ) async throws(ServiceError) -> AuditHead {
    let walked = try await ask { (storage) throws(StorageError) in try await storage.walkAudit(over: knownHead) }
    let end = try walked.get()
    if checksSeal { try auditKey.verify(end) }
    return end.head
  }

  /// Demands that the end of a trail is sealed with this server's secret.
  public func verifyAuditEnd(_ end: AuditEnd) throws(ServiceError) {
    try auditKey.verify(end)
  }

  /// Adopts an audit trail whose end is not sealed with this server's secret: verifies its chain, records that it was adopted,
  /// and seals it. From then on the seal vouches for what the trail says today, not for how it came to say so.
  @discardableResult
  public func sealAudit(in context: RequestContext) async throws(ServiceError) -> AuditHead {
    let head = try await verifyAudit(checksSeal: false)
    let draft = try draft(
      .auditSealed, by: nil, of: nil, subject: .other(kind: "audit", name: "\(head.sequence)"), in: context)
    let sealed = try await ask { (storage) throws(StorageError) in
      try await storage.sealAudit(AuditEnd(head: head, seal: .tag(auditKey.seal(of: head))), audit: [draft])
    }
    // Another server appended meanwhile: what it wrote was not verified.
    guard sealed else { throw ServiceError(.auditHeadMismatch, "records were appended meanwhile") }
    let end = try await ask { (storage) throws(StorageError) in try await storage.auditEnd() }
    try auditKey.verify(end)
    return end.head
  }
}
