// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// Everything that there is about whoever is signed in, for them (GDPR, articles 15 and 20). That they took it is
  /// recorded.
  public func export(
    _ session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) -> AccountExport {
    let handle = session.account.handle
    let exported = try draft(.accountExported, by: handle, of: handle, subject: .account(handle), in: context)
    try await append(exported)
    let passkeys = try await passkeys(of: session)
    let devices = try await devices(of: session)
    let sessions = try await sessions(of: session, limit: .max, in: context)
    var trail: [AuditEntry] = []
    while true {
      let last = trail.last?.record.sequence ?? 0
      let page = try await auditEntries(after: last, of: handle, limit: Self.pageLength)
      trail += page.map { $0.about(handle) }
      if page.count < Self.pageLength { break }
    }
    return AccountExport(
      account: session.account, passkeys: passkeys, sessions: sessions, devices: devices, trail: trail,
      time: context.time)
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
