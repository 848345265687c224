// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let sessions: [Case] = [
    Case("one session too many ends the oldest, with an audit record") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      var openings: [SessionOpening] = []
      for _ in 0..<4 { openings.append(try await storage.open(passkey, renewable: true)) }
      let other = try await storage.open(storage.registerAccount().passkey)
      let grant = try await storage.grant(passkey, openings[0])
      var opening = try Sample.opening(of: ada.handle, with: passkey.record.id)
      opening.maximumCount = 3
      opening.auditOfEnding = try Sample.draft(.sessionRevoked, of: ada.handle)
      let last = opening
      #expect(
        try await storage.signIn(
          SignInCommit(use: CredentialUse(passkey), opening: last, audit: [Sample.draft(.sessionOpened)])) == .opened)
      let kept = try await storage.sessions(of: ada.handle, limit: 9).map(\.id)
      #expect(kept == [last, openings[3], openings[2]].map(\.session.id))
      #expect(try await storage.refreshToken(#require(openings[0].refresh).digest) == nil)
      #expect(try await !storage.spend(GrantSpending(grant), audit: []))
      #expect(try await storage.session(token: other.token) != nil)
      let records = try await storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record)
      #expect(records.map(\.event) == [.sessionOpened, .sessionRevoked, .sessionRevoked])
      #expect(Set(records.dropFirst().map(\.subject)) == Set(openings.prefix(2).map { "session:\($0.session.id)" }))
    },
    Case("an account that is not an administrator in the transaction ends no sessions") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let root = try Sample.account(roles: [.administrator])
      _ = try await storage.registerAccount(root)
      let draft = try Sample.draft(.sessionsRevoked)
      for handle in [ada.handle, try UserHandle(Sample.bytes(32))] {
        #expect(try await storage.revokeAll(of: ada.handle, keeping: nil, by: handle, audit: [draft]) == nil)
      }
      #expect(try await storage.session(token: opening.token) != nil)
      #expect(try await storage.recordCount == 0)
      #expect(try await storage.revokeAll(of: ada.handle, keeping: nil, by: root.handle, audit: [draft]) == 1)
      #expect(try await storage.recordCount == 1)
    },
    Case("a session is found by its token only, with the current account") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      _ = try await storage.change(
        ada.handle, .setRoles([Role(rawValue: "trader")]), at: Sample.start, spending: nil, audit: [])
      let found = try await storage.session(token: opening.token)
      #expect(found?.session == opening.session)
      #expect(found?.account.roles == [Role(rawValue: "trader")])
      #expect(try await storage.session(token: Sample.identifier()) == nil)
    },
    Case("an expired session is returned, so that the service can report it") { store in
      let (_, passkey) = try await store.storage.registerAccount()
      let opening = try await store.storage.open(passkey, at: Sample.time(-100_000))
      #expect(try await store.storage.session(token: opening.token)?.session == opening.session)
    },
    Case("a use is recorded, and an earlier one does not replace it") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      for time in [60, 30, 90] { try await storage.touch(opening.session.id, at: Sample.time(time)) }
      try await storage.touch(Sample.identifier(), at: Sample.time(1000))
      var expected = opening.session
      expected.lastSeen = Sample.time(90)
      #expect(try await storage.session(token: opening.token)?.session == expected)
      #expect(try await storage.sessions(of: passkey.user, limit: 9) == [expected])
    },
    Case("only open sessions are counted") { store in
      let storage = store.storage
      #expect(try await storage.sessionCount(at: Sample.time(0)) == 0)
      let (_, passkey) = try await storage.registerAccount()
      let (_, another) = try await storage.registerAccount()
      for number in 0..<3 { _ = try await storage.open(passkey, at: Sample.time(100 * number)) }
      let last = try await storage.open(another, at: Sample.time(300))
      #expect(try await storage.sessionCount(at: Sample.time(300)) == 4)
      #expect(try await storage.sessionCount(at: last.session.expiry) == 1)
      _ = try await storage.revokeAll(of: another.user, keeping: nil, audit: [])
      #expect(try await storage.sessionCount(at: last.session.expiry) == 0)
    },
    Case("the newest sessions are listed first, up to a limit") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let (_, others) = try await storage.registerAccount()
      var all: [AccountSession] = []
      for number in 0..<12 {
        all.append(try await storage.open(passkey, at: Sample.time(number), renewable: number == 3).session)
        _ = try await storage.open(others)
      }
      let newest = Array(all.reversed())
      #expect(try await storage.sessions(of: passkey.user, limit: 100) == newest)
      #expect(try await storage.sessions(of: passkey.user, limit: .max) == newest)
      #expect(try await storage.sessions(of: passkey.user, limit: 5) == Array(newest.prefix(5)))
      // The kept session is listed in any case.
      for (number, expected) in [(0, [11, 10, 9, 0]), (10, [11, 10, 9, 8])] {
        let listed = try await storage.sessions(
          of: passkey.user, but: nil, keeping: all[number].id, limit: 4)
        #expect(listed == expected.map { all[$0] })
      }
    },
    Case("ended sessions are not listed and do not count toward the limit") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let idle = try await storage.open(passkey, at: Sample.time(-50))
      let live = try await storage.open(passkey)
      let renewable = try await storage.open(passkey, lifetime: 10, renewable: true)
      for _ in 0..<5 { _ = try await storage.open(passkey, lifetime: 99) }
      let bounds = SweepBounds(time: Sample.time(100), idleSince: Sample.time(-10))
      func list(
        _ bounds: SweepBounds, keeping session: AccountSessionID? = nil, limit: Int = 9
      ) async throws -> [AccountSession] {
        try await storage.sessions(of: passkey.user, but: bounds, keeping: session, limit: limit)
      }
      #expect(try await list(bounds, limit: 2) == [renewable.session, live.session])
      #expect(try await list(bounds, limit: 1) == [renewable.session])
      #expect(try await list(bounds, keeping: idle.session.id) == [renewable, live, idle].map(\.session))
      #expect(
        try await list(SweepBounds(time: Sample.time(100))) == [renewable, live, idle].map(\.session))
      #expect(try await list(SweepBounds(time: Sample.time(99))).count == 8)
    },
    Case("only its owner revokes a session, with its refresh tokens and grants") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, renewable: true)
      let other = try await storage.open(passkey, renewable: true)
      let grant = try await storage.grant(passkey, opening)
      let othersGrant = try await storage.grant(passkey, other)
      let draft = try Sample.draft(.sessionRevoked)
      #expect(try await !storage.revoke(opening.session.id, of: ben.handle, audit: [draft]))
      #expect(try await storage.session(token: opening.token) != nil)
      #expect(try await storage.revoke(opening.session.id, of: ada.handle, audit: [draft]))
      #expect(try await !storage.revoke(opening.session.id, of: ada.handle, audit: [draft]))
      #expect(try await storage.recordCount == 1)
      #expect(try await storage.session(token: opening.token) == nil)
      #expect(try await storage.refreshToken(#require(opening.refresh).digest) == nil)
      #expect(try await !storage.spend(GrantSpending(grant), audit: []))
      #expect(try await storage.session(token: other.token) != nil)
      #expect(try await storage.spend(GrantSpending(othersGrant), audit: []))
    },
    Case("all sessions of a user are revoked except one") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (_, others) = try await storage.registerAccount()
      let stranger = try await storage.open(others)
      let kept = try await storage.open(passkey)
      for _ in 0..<4 { _ = try await storage.open(passkey, renewable: true) }
      let draft = try Sample.draft(.sessionsRevoked)
      #expect(try await storage.revokeAll(of: ada.handle, keeping: kept.session.id, audit: [draft]) == 4)
      #expect(try await storage.sessions(of: ada.handle, limit: 9) == [kept.session])
      #expect(try await storage.revokeAll(of: ada.handle, keeping: kept.session.id, audit: [draft]) == 0)
      #expect(try await storage.recordCount == 1)
      #expect(try await storage.revokeAll(of: ada.handle, keeping: nil, audit: [draft]) == 1)
      #expect(try await storage.recordCount == 2)
      #expect(try await storage.session(token: stranger.token) != nil)
    },
  ]
}
