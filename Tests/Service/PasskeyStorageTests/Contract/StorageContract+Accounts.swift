// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let accounts: [Case] = [
    Case("an account is found by handle and address") { store in
      let storage = store.storage
      let ada = try Sample.account("ada@raxx.app", .pending, roles: [.administrator, Role(rawValue: "support")])
      #expect(try await storage.create(ada, code: nil, spending: nil, audit: [Sample.draft()]).refusal == nil)
      #expect(try await storage.account(ada.handle) == ada)
      #expect(try await storage.account(ada.names.primary) == ada)
      #expect(try await storage.account(Sample.account().handle) == nil)
      #expect(try await storage.account(email: EmailAddress("adb@raxx.app")) == nil)
      #expect(try await storage.recordCount == 1)
    },
    Case("an address belongs to one account") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let other = try Sample.account("ada@raxx.app")
      #expect(
        try await storage.create(other, code: nil, spending: nil, audit: [Sample.draft()]).refusal == .accountEmailTaken
      )
      #expect(try await storage.account(other.handle) == nil)
      #expect(try await storage.account(ada.names.primary) == ada)
      #expect(try await storage.recordCount == 0)
    },
    Case("of 50 concurrent accounts with one address one is created") { store in
      let created = try await store.inParallel(50) { (storage, _) in
        try await storage.create(Sample.account("ada@raxx.app"), code: nil, spending: nil, audit: [Sample.draft()])
      }
      #expect(created.filter { $0.refusal == nil }.count == 1)
      #expect(created.filter { $0.refusal == .accountEmailTaken }.count == 49)
      #expect(try await store.storage.recordCount == 1)
    },
    Case("a handle belongs to one account") { store in
      let (ada, _) = try await store.storage.registerAccount()
      var other = try Sample.account()
      other.handle = ada.handle
      let second = other
      await expect(.conflict) { try await store.storage.create(second, code: nil, spending: nil, audit: []) }
      #expect(try await store.storage.account(ada.handle) == ada)
      #expect(try await store.storage.account(second.names.primary) == nil)
    },
    Case("a candidate has its usable passkeys in creation order") { store in
      let storage = store.storage
      let (account, first) = try await storage.registerAccount()
      let second = try await storage.add(to: account)
      let third = try await storage.add(to: account)
      #expect(try await storage.disable(second.record.id, of: account.handle, cloneSignal: nil, audit: []))
      let candidate = try await storage.candidate(account.names.primary)
      #expect(candidate?.account == account)
      #expect(candidate?.credentials == [first.record.descriptor, third.record.descriptor])
      for standInCount in [0, 1, 20] {
        let newest = try await storage.candidate(account.names.primary, limit: 1, standInCount: standInCount)
        #expect(newest == SignInCandidate(account: account, credentials: [third.record.descriptor]))
      }
      #expect(try await storage.candidate(.email(EmailAddress("nobody@raxx.app"))) == nil)
      let empty = try Sample.account()
      _ = try await storage.create(empty, code: nil, spending: nil, audit: [])
      #expect(try await storage.candidate(empty.names.primary) == SignInCandidate(account: empty, credentials: []))
    },
    Case("accounts are paged by handle, each once") { store in
      let storage = store.storage
      var all: [Account] = []
      for number in 0..<250 {
        let account = try Sample.account(nil, number.isMultiple(of: 5) ? .pending : .active)
        _ = try await storage.create(account, code: nil, spending: nil, audit: [])
        all.append(account)
      }
      all.sort { $0.handle.bytes.lexicographicallyPrecedes($1.handle.bytes) }
      for state in [nil, Account.State.pending, .disabled] {
        var listed: [Account] = []
        repeat {
          let page = try await storage.accounts(
            after: listed.last?.handle, matching: Account.Filter(state: state), limit: 60)
          listed += page
          if page.count < 60 { break }
        } while listed.count <= all.count
        #expect(listed == all.filter { state == nil || $0.state == state })
      }
      #expect(try await storage.accounts(after: nil, matching: Account.Filter(), limit: 0).isEmpty)
    },
    Case("an account changes only from an allowed state") { store in
      let storage = store.storage
      let (account, _) = try await storage.registerAccount(Sample.account(nil, .pending))
      func change(_ change: Account.Change, _ draft: AuditDraft) async throws -> Result<Account, ServiceError> {
        try await storage.change(account.handle, change, at: Sample.start, spending: nil, audit: [draft])
      }
      let draft = try Sample.draft(of: account.handle)
      #expect(try await change(.enable, draft).refusal == .accountStateConflict)
      #expect(try await storage.recordCount == 0)
      var expected = account
      expected.state = .active
      #expect(try await change(.approve, draft).value == expected)
      #expect(try await change(.approve, draft).refusal == .accountStateConflict)
      expected.roles = [.administrator, Role(rawValue: "trader")]
      #expect(try await change(.setRoles(expected.roles), draft).value == expected)
      #expect(try await storage.account(account.handle) == expected)
      #expect(try await storage.account(account.names.primary) == expected)
      #expect(try await storage.recordCount == 2)
      let nobody = try Sample.account().handle
      #expect(
        try await storage.change(nobody, .approve, at: Sample.start, spending: nil, audit: [draft]).refusal
          == .accountUnknown)
      #expect(try await storage.recordCount == 2)
    },
    Case("disabling an account deletes its pending data and no other") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let (_, othersPasskey) = try await storage.registerAccount()
      let own = try await storage.open(passkey, renewable: true)
      let others = try await storage.open(othersPasskey, renewable: true)
      let grant = try await storage.grant(passkey, own)
      let othersGrant = try await storage.grant(othersPasskey, others)
      let codes = try [account.handle, othersPasskey.user].map { handle in
        IssuedCode(
          digest: try Sample.identifier(), purpose: .recovery, account: handle, created: Sample.start,
          expiry: Sample.time(100))
      }
      for code in codes { _ = try await storage.issue(code, spending: nil, audit: []) }
      _ = try await storage.change(account.handle, .disable, at: Sample.start, spending: nil, audit: [])
      #expect(try await storage.code(codes[0].digest) == nil)
      #expect(try await storage.code(codes[1].digest) == codes[1])
      #expect(try await storage.account(account.handle)?.state == .disabled)
      #expect(try await storage.session(token: own.token) == nil)
      #expect(try await storage.sessions(of: account.handle, limit: 9).isEmpty)
      #expect(try await storage.refreshToken(#require(own.refresh).digest) == nil)
      #expect(try await !storage.spend(GrantSpending(grant), audit: []))
      #expect(try await storage.session(token: others.token)?.session == others.session)
      #expect(try await storage.refreshToken(#require(others.refresh).digest) == others.refresh)
      #expect(try await storage.spend(GrantSpending(othersGrant), audit: []))
    },
    Case("the last active administrator cannot be removed") { store in
      let storage = store.storage
      let (first, _) = try await storage.registerAccount(Sample.account(roles: [.administrator]))
      let (second, _) = try await storage.registerAccount(Sample.account(roles: [.administrator]))
      let (_, _) = try await storage.registerAccount(Sample.account(nil, .pending, roles: [.administrator]))
      let draft = try Sample.draft()
      guard
        case .success = try await storage.change(
          first.handle, .disable, at: Sample.start, spending: nil, audit: [draft])
      else {
        Issue.record("the first of two administrators could not be disabled")
        return
      }
      for change in [Account.Change.disable, .setRoles([])] {
        #expect(
          try await storage.change(second.handle, change, at: Sample.start, spending: nil, audit: [draft])
            .refusal == .accountLastAdministrator)
      }
      #expect(
        try await storage.erase(second.handle, spending: nil, audit: [draft]).refusal == .accountLastAdministrator)
      #expect(try await storage.account(second.handle) == second)
      #expect(try await storage.recordCount == 1)
    },
    Case("two administrators cannot disable each other concurrently") { store in
      // The remaining administrator is one of the next pair.
      var left = try await store.storage.registerAccount(Sample.account(roles: [.administrator])).account
      for _ in 0..<20 {
        let pair = [left, try await store.storage.registerAccount(Sample.account(roles: [.administrator])).account]
        let outcomes = try await store.inParallel(2) { (storage, number) in
          let outcome = try await storage.change(
            pair[number].handle, .disable, at: Sample.start, spending: nil, audit: [])
          return (number: number, outcome: outcome)
        }
        let kept = outcomes.filter { $0.outcome.refusal == .accountLastAdministrator }
        #expect(kept.count == 1)
        left = pair[try #require(kept.first).number]
        #expect(try await store.storage.account(left.handle) == left)
      }
    },
    Case("a change spends its grant, and fails without one") { store in
      let storage = store.storage
      let (account, _) = try await storage.registerAccount(Sample.account(nil, .pending))
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      let draft = try Sample.draft()
      let late = GrantSpending(grant, at: Sample.time(61))
      #expect(
        try await storage.change(account.handle, .approve, at: Sample.start, spending: late, audit: [draft])
          .refusal == .stepUpGrantRefused)
      // The refused attempt has spent the grant.
      #expect(
        try await storage.change(
          account.handle, .approve, at: Sample.start, spending: GrantSpending(grant), audit: [draft]
        )
        .refusal == .stepUpGrantRefused)
      #expect(try await storage.account(account.handle)?.state == .pending)
      let another = try await storage.grant(passkey, opening)
      var approved = account
      approved.state = .active
      #expect(
        try await storage.change(
          account.handle, .approve, at: Sample.start, spending: GrantSpending(another), audit: [draft]
        )
        .value == approved)
      #expect(try await storage.recordCount == 1)
      let made = try Sample.account()
      #expect(
        try await storage.create(made, code: nil, spending: GrantSpending(another), audit: [draft]).refusal
          == .stepUpGrantRefused)
      #expect(try await storage.account(made.handle) == nil)
    },
    Case("a matching grant is spent even if the action fails") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      #expect(
        try await storage.change(
          account.handle, .approve, at: Sample.start, spending: GrantSpending(grant), audit: [Sample.draft()]
        )
        .refusal == .accountStateConflict)
      #expect(try await !storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
      // Only the refusal is recorded.
      let records = try await storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record)
      #expect(records.map(\.outcome) == [ServiceError.Code.accountStateConflict.rawValue])
    },
  ]
}
