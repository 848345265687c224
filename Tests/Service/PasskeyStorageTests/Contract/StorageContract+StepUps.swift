// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let stepUps: [Case] = [
    Case("a grant for an administrative action requires a current administrator") { store in
      let storage = store.storage
      for roles in [Set<Role>(), [.administrator]] {
        let (_, passkey) = try await storage.registerAccount(Sample.account(roles: roles))
        let opening = try await storage.open(passkey)
        var spending = GrantSpending(try await storage.grant(passkey, opening))
        spending.requiresAdministrator = true
        let fits = try await storage.spend(spending, audit: [])
        #expect(fits == roles.contains(.administrator))
        // The grant is deleted in either case.
        spending.requiresAdministrator = false
        let again = spending
        #expect(try await !storage.spend(again, audit: []))
      }
    },
    Case("a confirmation updates the credential and stores the grant") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try Sample.grant(of: opening)
      let commit = StepUpCommit(
        use: CredentialUse(passkey, signCount: 3, at: Sample.time(9)), grant: grant,
        audit: [try Sample.draft(.stepUpConfirmed, of: ada.handle)])
      #expect(try await storage.confirm(commit) == .granted)
      let used = try await storage.passkey(passkey.record.id)
      #expect(used?.record.signCount == 3)
      #expect(used?.lastUsed == Sample.time(9))
      #expect(used?.revision == passkey.revision + 1)
      #expect(try await storage.recordCount == 1)
      #expect(try await storage.spend(GrantSpending(grant), audit: [Sample.draft(.stepUpSpent)]))
      #expect(try await storage.recordCount == 2)
    },
    Case("a confirmation with an older record or an ended session is refused") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try Sample.grant(of: opening)
      var stale = CredentialUse(passkey, signCount: 3)
      stale.revision += 1
      let draft = try Sample.draft(.stepUpConfirmed)
      #expect(
        try await storage.confirm(StepUpCommit(use: stale, grant: grant, audit: [draft])) == .credentialChanged)
      _ = try await storage.revoke(opening.session.id, of: passkey.user, audit: [])
      #expect(
        try await storage.confirm(
          StepUpCommit(use: CredentialUse(passkey, signCount: 3), grant: grant, audit: [draft])) == .sessionEnded)
      #expect(try await storage.passkey(passkey.record.id)?.record.signCount == 0)
      #expect(try await !storage.spend(GrantSpending(grant), audit: [draft]))
      #expect(try await storage.recordCount == 0)
    },
    Case("the session that removed the last passkey gets grants, until the account has a passkey again") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      let second = try await storage.add(to: ada)
      let here = try await storage.open(first)
      let there = try await storage.open(second)
      func removal(in opening: SessionOpening) async throws -> UnixTime? {
        try await storage.session(token: opening.token)?.session.lastPasskeyRemoved
      }
      func delete(
        _ passkey: Passkey, keeping session: AccountSessionID?, at seconds: Int
      ) async throws -> Result<Void, ServiceError> {
        let grant = try await storage.grant(passkey, here)
        return try await storage.delete(
          passkey.record.id, of: ada.handle, keeping: session, allowingLast: true,
          spending: GrantSpending(grant, at: Sample.time(seconds)), audit: [])
      }
      #expect(try await delete(first, keeping: here.session.id, at: 1).refusal == nil)
      #expect(try await removal(in: here) == nil)
      #expect(try await delete(second, keeping: here.session.id, at: 2).refusal == nil)
      #expect(try await removal(in: here) == Sample.time(2))
      // The deletion of its passkey has ended the other session.
      #expect(try await removal(in: there) == nil)
      #expect(
        try await storage.sessions(of: ada.handle, limit: 9).map(\.lastPasskeyRemoved) == [Sample.time(2)])

      let (draft, count) = (try Sample.draft(.stepUpConfirmed, of: ada.handle), try await storage.recordCount)
      let grant = try Sample.grant(of: here)
      #expect(try await storage.grant(grant, afterRemovalAt: Sample.time(2), audit: [draft]))
      #expect(try await storage.recordCount == count + 1)
      #expect(try await storage.spend(GrantSpending(grant), audit: []))
      // For no other time, session or account.
      #expect(try await !storage.grant(Sample.grant(of: here), afterRemovalAt: Sample.time(3), audit: [draft]))
      #expect(try await !storage.grant(Sample.grant(of: there), afterRemovalAt: Sample.time(2), audit: [draft]))
      var foreign = try Sample.grant(of: here)
      foreign.user = try Sample.account().handle
      let others = foreign
      #expect(try await !storage.grant(others, afterRemovalAt: Sample.time(2), audit: [draft]))
      // A passkey that cannot confirm changes nothing; one that can ends the period.
      func add(verifying: Bool) async throws {
        var passkey = try Sample.passkey(of: ada.handle)
        passkey.record.uvInitialized = verifying
        let outcome = try await storage.register(
          RegistrationCommit(
            owner: .account(ada.handle, session: here.session.id), passkey: passkey, code: nil, opening: nil,
            maximumPasskeyCount: 20, time: Sample.start, audit: []))
        #expect(outcome.value == ada)
      }
      try await add(verifying: false)
      #expect(try await removal(in: here) == Sample.time(2))
      try await add(verifying: true)
      #expect(try await removal(in: here) == nil)
      #expect(try await !storage.grant(Sample.grant(of: here), afterRemovalAt: Sample.time(2), audit: [draft]))
      #expect(try await storage.recordCount == count + 1)
    },
    Case("the removal of a last passkey by another one than the session is not remembered") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let other = try await storage.add(to: ada)
      let here = try await storage.open(passkey)
      for (id, session) in [(other.record.id, nil), (passkey.record.id, here.session.id)] {
        // Without a grant, and for the first one without a session.
        let outcome = try await storage.delete(
          id, of: ada.handle, keeping: session, allowingLast: true, spending: nil, audit: [])
        #expect(outcome.refusal == nil)
      }
      #expect(try await storage.session(token: here.token)?.session.lastPasskeyRemoved == nil)
    },
    Case("of 200 concurrent uses of one grant one succeeds, and it is recorded once") { store in
      let (_, passkey) = try await store.storage.registerAccount()
      let opening = try await store.storage.open(passkey)
      let grant = try await store.storage.grant(passkey, opening)
      let spent = try await store.inParallel(200) { (storage, _) in
        try await storage.spend(GrantSpending(grant), audit: [Sample.draft(.stepUpSpent)])
      }
      #expect(spent.filter { $0 }.count == 1)
      #expect(spent.count == 200)
      try await expectWholeTrail(store.storage, 1)
    },
    Case("a grant is for one user, session and action, and expires") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let (_, othersPasskey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let second = try await storage.open(passkey)
      let changes: [@Sendable (inout GrantSpending) throws -> Void] = [
        { $0.user = othersPasskey.user },
        { $0.session = second.session.id },
        { $0.time = Sample.time(61) },
      ]
      for change in changes {
        let grant = try await storage.grant(passkey, opening)
        var spending = GrantSpending(grant)
        try change(&spending)
        #expect(try await !storage.spend(spending, audit: [Sample.draft()]))
        // A refused request of another user or session spends the grant.
        #expect(try await !storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
      }
      #expect(try await storage.recordCount == 0)
      let grant = try await storage.grant(passkey, opening)
      #expect(try await storage.spend(GrantSpending(grant, at: Sample.time(60)), audit: []))
    },
    Case("a grant outlives two requests with another action, and is spent once") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      for _ in 0..<2 { #expect(try await !storage.spend(.wrongAction(of: grant), audit: [Sample.draft()])) }
      #expect(try await storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
      #expect(try await !storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
      #expect(try await storage.recordCount == 1)
    },
    Case("three requests with another action spend a grant") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      for _ in 0..<3 { #expect(try await !storage.spend(.wrongAction(of: grant), audit: [Sample.draft()])) }
      #expect(try await !storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
      #expect(try await storage.recordCount == 0)
    },
    Case("concurrent requests with another action are all counted") { store in
      let (_, passkey) = try await store.storage.registerAccount()
      let opening = try await store.storage.open(passkey)
      let grant = try await store.storage.grant(passkey, opening)
      let spent = try await store.inParallel(20) { (storage, _) in
        try await storage.spend(.wrongAction(of: grant), audit: [Sample.draft()])
      }
      #expect(!spent.contains(true))
      #expect(try await !store.storage.spend(GrantSpending(grant), audit: [Sample.draft()]))
    },
  ]
}

extension GrantSpending {
  /// The grant, presented with an action that was not confirmed.
  fileprivate static func wrongAction(of grant: StepUpGrant) throws -> GrantSpending {
    var spending = GrantSpending(grant)
    spending.actionDigest = try Sample.bytes(32)
    return spending
  }
}
