// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  /// Refused acts with a valid grant: each grant is spent, and both the refusal and the spending are recorded.
  static let refusals: [Case] = [
    Case("a grant spent on a refused deletion is recorded") { store in
      let act = try await RefusedAct(store.storage, .credentialDeleted)
      try await act.expect(.credentialLast) { (storage, grant, audit) in
        try await storage.delete(
          act.passkey.record.id, of: act.account.handle, keeping: nil, allowingLast: false, spending: grant,
          audit: audit)
      }
      try await act.expect(.credentialUnknown) { (storage, grant, audit) in
        try await storage.delete(
          CredentialID([1, 2, 3]), of: act.account.handle, keeping: nil, allowingLast: false, spending: grant,
          audit: audit)
      }
      #expect(try await store.storage.passkey(act.passkey.record.id) != nil)
    },
    Case("a grant spent on a refused change or erasure is recorded") { store in
      let act = try await RefusedAct(store.storage, .accountDisabled)
      let nobody = try UserHandle(Sample.bytes(32))
      for (handle, change, code) in [
        (nobody, .approve, .accountUnknown),
        (act.account.handle, .approve, .accountStateConflict),
        (act.account.handle, .disable, .accountLastAdministrator),
      ] as [(UserHandle, Account.Change, ServiceError.Code)] {
        try await act.expect(code) { (storage, grant, audit) in
          try await storage.change(handle, change, at: Sample.start, spending: grant, audit: audit)
        }
      }
      for (handle, code) in [
        (nobody, .accountUnknown), (act.account.handle, .accountLastAdministrator),
      ] as [(UserHandle, ServiceError.Code)] {
        try await act.expect(code) { (storage, grant, audit) in
          try await storage.erase(handle, spending: grant, audit: audit)
        }
      }
      #expect(try await store.storage.account(act.account.handle) == act.account)
    },
    Case("a grant spent on a refused account or code is recorded") { store in
      let act = try await RefusedAct(store.storage, .accountCreated)
      try await act.expect(.accountEmailTaken) { (storage, grant, audit) in
        try await storage.create(
          Sample.account(act.account.name), code: nil, spending: grant, audit: audit)
      }
      try await act.expect(.accountUnknown) { (storage, grant, audit) in
        let code = try IssuedCode(
          digest: Sample.identifier(), purpose: .recovery, account: UserHandle(Sample.bytes(32)),
          created: Sample.start, expiry: Sample.time(100))
        return try await storage.issue(code, spending: grant, audit: audit)
      }
    },
  ]
}

/// The only administrator, with a session for confirming acts that are then refused.
private struct RefusedAct {
  let storage: DatabaseStorage
  let account: Account
  let passkey: Passkey
  private let opening: SessionOpening
  private let event: AuditEvent

  init(_ storage: DatabaseStorage, _ event: AuditEvent) async throws {
    (account, passkey) = try await storage.registerAccount(Sample.account(roles: [.administrator]))
    opening = try await storage.open(passkey)
    (self.storage, self.event) = (storage, event)
  }

  /// Expects the act to be refused with this code and to leave two records. Its grant is spent, so it cannot be repeated.
  func expect<Value>(
    _ code: ServiceError.Code,
    _ body: (DatabaseStorage, GrantSpending, [AuditDraft]) async throws -> Result<Value, ServiceError>
  ) async throws {
    let grant = try await GrantSpending(storage.grant(passkey, opening))
    let before = try await storage.recordCount
    let audit = try [Sample.draft(.stepUpSpent, of: account.handle), Sample.draft(event, of: account.handle)]
    for expected in [code, .stepUpGrantRefused] {
      #expect(try await body(storage, grant, audit).refusal == expected)
    }
    let records = try await storage.auditEntries(after: before, of: nil, limit: 9).map(\.record)
    #expect(records.map(\.event) == [.stepUpSpent, event])
    #expect(records.map(\.outcome) == [AuditDraft.success, code.rawValue])
  }
}
