// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import PasskeyTransparencyLog
internal import WebAuthnTypes

extension AuthService {
  /// Exports all data about the signed-in account (GDPR, articles 15 and 20), and records the export. It requires a
  /// confirmation, so that a stolen session is not enough to obtain the data, or a session that has just removed the last
  /// passkey (`replacementEnd(of:at:)`).
  ///
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; or a storage code.
  public func export(
    _ session: AuthenticatedSession, confirmation: PresentedConfirmation, in context: CallContext
  ) async throws(ServiceError) -> AccountExport {
    let handle = session.account.handle
    _ = try await spend(replacing(confirmation, by: session, in: context), by: session, in: context)
    let exported = try draft(.accountExported, by: handle, of: handle, subject: .account(handle), in: context)
    try await append(exported)
    return try await exportData(session.account, keeping: session.session.id, in: context)
  }

  /// Collects the current data about an account.
  func exportData(
    _ account: Account, keeping session: AccountSessionID? = nil, in context: CallContext
  ) async throws(ServiceError) -> AccountExport {
    let handle = account.handle
    let passkeys = try await allPasskeys(of: handle)
    let devices = try await stored(async: await storage.devices(of: handle))
    let preferences = try await stored(async: await storage.preferences(of: handle))
    let ceremonies = try await stored(async: await storage.emailCeremonies(of: handle))
      .filter { (ceremony) in context.time <= ceremony.expiry }
    let clients = try await stored(async: await storage.knownClients(of: handle))
      .filter { (client) in context.time <= client.expiry }
    let bounds = sweepBounds(at: context.time)
    let sessions = try await stored(
      async: await storage.sessions(of: handle, but: bounds, keeping: session, limit: .max))
    var trail: [AuditEntry] = []
    while true {
      let last = trail.last?.record.sequence ?? 0
      let page = try await auditEntries(after: last, of: handle, limit: Self.pageLength)
      trail += page.map { $0.withoutDetailsOfOthers(than: handle) }
      if page.count < Self.pageLength { break }
    }
    // A long snapshot would keep deleted rows in the database. The proofs lead to the checkpoints of the first one.
    let prover = try await readAuditLog { (log) throws(ServiceError) in try AuditProver(log) }
    var proven: [ExportedAuditEntry] = []
    for start in stride(from: 0, to: trail.count, by: Self.proofPageLength) {
      let page = Array(trail[start...].prefix(Self.proofPageLength))
      proven += try await readAuditLog { (log) throws(ServiceError) in try prover.proven(page, in: log) }
    }
    var providers: [AAGUID: String] = [:]
    for passkey in passkeys { providers[passkey.aaguid] = providerName(of: passkey.aaguid) }
    return AccountExport(
      account: account, passkeys: passkeys, providers: providers, sessions: sessions, preferences: preferences,
      devices: devices, emailCeremonies: ceremonies, knownClients: clients, trail: proven,
      auditKey: prover.key?.text, time: context.time)
  }

  /// Erases the signed-in account with all its data. It requires a confirmation, or a session that has just removed the last
  /// passkey (`replacementEnd(of:at:)`). The audit records stay, with a handle that no longer identifies anyone.
  ///
  /// - Throws: `step-up.required` or `step-up.grant-refused`; `account.last-administrator` for the only administrator;
  ///   `account.unknown` if the account was erased meanwhile; or a storage code.
  public func erase(
    _ session: AuthenticatedSession, confirmation: PresentedConfirmation, in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let confirmation = try await replacing(confirmation, by: session, in: context)
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [
      try draftOfSpending(confirmation, by: session, in: context),
      try draft(.accountErased, by: handle, of: handle, subject: .account(handle), in: context),
    ]
    try await transact(with: confirmation, of: session, in: context) { (storage) throws(StorageError) in
      try await storage.erase(handle, spending: grant, audit: audit)
    }
  }

  static let pageLength = 500

  // 256 records  [tiles of at most some megabytes, in a snapshot of some milliseconds]
  private static let proofPageLength = 256
}

extension AuditEntry {
  /// Returns the entry without personal details about other accounts.
  fileprivate func withoutDetailsOfOthers(than person: UserHandle) -> AuditEntry {
    AuditEntry(record: record, personalDetails: personalDetails.filter { $0.person == person })
  }
}

extension AuditProver {
  /// Returns entries with their proofs.
  fileprivate func proven(
    _ entries: [AuditEntry], in log: any AuditLogReading
  ) throws(ServiceError) -> [ExportedAuditEntry] {
    zip(entries, try proofs(of: entries, in: log)).map { (entry, made) in
      ExportedAuditEntry(
        entry: entry, proof: made.map { String(decoding: $0.proof.bytes, as: UTF8.self) }, key: made?.key.text)
    }
  }
}
