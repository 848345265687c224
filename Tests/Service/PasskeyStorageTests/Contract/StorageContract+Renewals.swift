// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let renewals: [Case] = [
    Case("a renewal replaces token, expiry and last use, and spends the refresh token") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, renewable: true)
      let first = try #require(opening.refresh)
      let renewal = try next(of: opening, with: first, at: Sample.time(600))
      var expected = opening.session
      expected.expiry = renewal.expiry
      expected.lastSeen = Sample.time(600)
      #expect(try await storage.renew(renewal) == .renewed(expected, ada))
      #expect(try await storage.session(token: opening.token) == nil)
      #expect(try await storage.session(token: renewal.token)?.session == expected)
      #expect(try await storage.refreshToken(renewal.refresh.digest) == renewal.refresh)
      var spent = first
      spent.isSpent = true
      spent.spentAt = Sample.time(600)
      #expect(try await storage.refreshToken(first.digest) == spent)
      #expect(try await storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record.event) == [.sessionRenewed])
    },
    Case("reusing a refresh token ends its session") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, renewable: true)
      let other = try await storage.open(passkey, renewable: true)
      let first = try #require(opening.refresh)
      let renewal = try next(of: opening, with: first)
      _ = try await storage.renew(renewal)
      let grant = try await storage.grant(passkey, opening)
      #expect(try await storage.renew(next(of: opening, with: first)) == .reused)
      #expect(try await storage.session(token: renewal.token) == nil)
      #expect(try await storage.refreshToken(renewal.refresh.digest) == nil)
      #expect(try await storage.refreshToken(first.digest) == nil)
      #expect(try await !storage.spend(GrantSpending(grant), audit: []))
      #expect(
        try await storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record.event)
          == [.sessionRenewed, .refreshTokenReused])
      // The whole family is deleted, so a third use finds nothing; another session is unaffected.
      #expect(try await storage.renew(next(of: opening, with: first)) == .refused)
      #expect(try await storage.session(token: other.token) != nil)
    },
    Case("only the same client may repeat a token, within the grace period") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      for fault in ["", "other", "nobody", "late", "derived", "gone"] {
        let opening = try await storage.open(passkey, renewable: true)
        let first = try #require(opening.refresh)
        var renewal = try next(of: opening, with: first, at: Sample.time(600))
        renewal.client = [1, 2, 3]
        renewal.grace = .seconds(10)
        guard case .renewed(let session, _) = try await storage.renew(renewal) else {
          throw UnexpectedOutcome("not renewed")
        }
        let count = try await storage.recordCount
        #expect(try await storage.refreshToken(first.digest)?.spentBy == [1, 2, 3])
        var again = renewal
        again.time = Sample.time(fault == "late" ? 611 : 610)
        again.derivedAt = Sample.time(fault == "derived" ? 610 : 600)
        switch fault {
        case "other": again.client = [1, 2, 4]
        case "nobody": again.client = nil
        case "gone":
          // The successor was used in the meantime.
          var later = try next(of: opening, with: renewal.refresh, at: Sample.time(601))
          later.session = session.id
          _ = try await storage.renew(later)
        default: break
        }
        let outcome = try await storage.renew(again)
        switch fault {
        case "":
          #expect(outcome == .repeated(session, ada, renewal.refresh))
          #expect(try await storage.recordCount == count)
        case "derived":
          #expect(outcome == .spent(at: Sample.time(600)))
          #expect(try await storage.session(token: renewal.token)?.session == session)
        default:
          #expect(outcome == .reused, "\(fault)")
          #expect(try await storage.session(token: renewal.token) == nil)
        }
      }
    },
    Case("of 50 concurrent renewals with one token one succeeds, and the session ends") { store in
      let (_, passkey) = try await store.storage.registerAccount()
      let opening = try await store.storage.open(passkey, renewable: true)
      let first = try #require(opening.refresh)
      let outcomes = try await store.inParallel(50) { (storage, _) in
        try await storage.renew(next(of: opening, with: first))
      }
      #expect(outcomes.filter { if case .renewed = $0 { true } else { false } }.count == 1)
      #expect(outcomes.filter { $0 == .reused }.count == 1)
      #expect(outcomes.filter { $0 == .refused }.count == 48)
      #expect(try await store.storage.sessions(of: passkey.user, limit: 9).isEmpty)
      #expect(try await store.storage.recordCount == 2)
    },
    Case("an expired, idle, unknown or inactive session is not renewed") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, renewable: true)
      let first = try #require(opening.refresh)
      func renew(
        at time: UnixTime = Sample.start, _ change: (inout SessionRenewal) -> Void = { _ in }
      ) async throws -> RenewalOutcome {
        var renewal = try next(of: opening, with: first, at: time)
        change(&renewal)
        return try await storage.renew(renewal)
      }
      #expect(try await renew(at: first.expiry + .seconds(1)) == .refused)
      let unknown: TokenDigest = try Sample.identifier()
      #expect(try await renew { $0.presented = unknown } == .refused)
      let otherSession: AccountSessionID = try Sample.identifier()
      #expect(try await renew { $0.session = otherSession } == .refused)
      #expect(try await renew { $0.idleSince = Sample.time(1) } == .refused)
      #expect(try await storage.refreshToken(first.digest) == first)
      #expect(try await storage.session(token: opening.token)?.session == opening.session)
      #expect(try await storage.recordCount == 0)
      guard case .renewed = try await renew(at: first.expiry, { $0.idleSince = Sample.start }) else {
        Issue.record("the last moment is in time")
        return
      }
      _ = try await storage.change(ada.handle, .disable, at: Sample.start, spending: nil, audit: [])
      #expect(try await renew() == .refused)
    },
    Case("a session is not renewed after its last renewal") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      var opening = try Sample.opening(of: ada.handle, with: passkey.record.id, renewable: true)
      opening.session.renewalEnd = Sample.time(100)
      let ending = opening
      #expect(
        try await storage.signIn(SignInCommit(use: CredentialUse(passkey), opening: ending, audit: [])) == .opened)
      let first = try #require(ending.refresh)
      #expect(try await storage.renew(next(of: ending, with: first, at: Sample.time(101))) == .refused)
      guard case .renewed = try await storage.renew(next(of: ending, with: first, at: Sample.time(100)))
      else {
        Issue.record("the last moment is in time")
        return
      }
    },
  ]

  /// Returns a renewal as the service creates it.
  @Sendable private static func next(
    of opening: SessionOpening, with token: RefreshToken, at time: UnixTime = Sample.start
  ) throws -> SessionRenewal {
    let session = opening.session
    return SessionRenewal(
      presented: token.digest, session: session.id, token: try Sample.identifier(), expiry: time + .seconds(900),
      refresh: try Sample.refreshToken(of: session, until: time + .seconds(7_200)), time: time,
      audit: [try Sample.draft(.sessionRenewed, of: session.user)],
      auditOfReuse: [try Sample.draft(.refreshTokenReused, of: session.user)])
  }
}
