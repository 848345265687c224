// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// Everything that there is about whoever is signed in, for them (GDPR, articles 15 and 20). It takes a confirmation: a
  /// stolen session must not give all of it away. That they took it is recorded.
  public func export(
    _ session: AuthenticatedSession, confirmation: PresentedConfirmation, in context: RequestContext
  ) async throws(ServiceError) -> AccountExport {
    let handle = session.account.handle
    _ = try await spend(confirmation, by: session, in: context)
    let exported = try draft(.accountExported, by: handle, of: handle, subject: .account(handle), in: context)
    try await append(exported)
    return try await collected(session.account, keeping: session.session.id, in: context)
  }

  /// Everything that there is about an account, now.
  func collected(
    _ account: Account, keeping session: SessionID? = nil, in context: RequestContext
  ) async throws(ServiceError) -> AccountExport {
    let handle = account.handle
    let passkeys = try await allPasskeys(of: handle)
    let devices = try await ask { (storage) throws(StorageError) in try await storage.devices(of: handle) }
    let bounds = sweepBounds(at: context.time)
    let sessions = try await ask { (storage) throws(StorageError) in
      try await storage.sessions(of: handle, but: bounds, keeping: session, limit: .max)
    }
    var trail: [AuditEntry] = []
    while true {
      let last = trail.last?.record.sequence ?? 0
      let page = try await auditEntries(after: last, of: handle, limit: Self.pageLength)
      trail += page.map { $0.about(handle) }
      if page.count < Self.pageLength { break }
    }
    return AccountExport(
      account: account, passkeys: passkeys, sessions: sessions, devices: devices, trail: trail, time: context.time)
  }

  /// Erases the account of whoever is signed in, with everything that it has. It takes a confirmation. The audit trail
  /// keeps that it was there, by a handle that stands for nobody any more.
  public func erase(
    _ session: AuthenticatedSession, confirmation: PresentedConfirmation, in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [
      try spentDraft(confirmation, by: session, in: context),
      try draft(.accountErased, by: handle, of: handle, subject: .account(handle), in: context),
    ]
    _ = try await act(with: confirmation, of: session, in: context) { (storage) throws(StorageError) in
      try await storage.erase(handle, spending: grant, audit: audit)
    }
  }

  static let pageLength = 500
}

extension AuditEntry {
  /// Without what is known about anybody else.
  fileprivate func about(_ person: UserHandle) -> AuditEntry {
    AuditEntry(record: record, personalDetails: personalDetails.filter { $0.person == person })
  }
}
