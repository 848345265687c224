// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let preferences: [Case] = [
    Case("preferences are replaced, and erased with the account") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      #expect(try await storage.preferences(of: ada.handle) == .none)
      let first = try NotificationPreferences(["botEventsEnabled": true, "reportsEnabled": false])
      let second = try NotificationPreferences(["reportsEnabled": true])
      for preferences in [first, second] {
        #expect(try await storage.setPreferences(preferences, of: ada.handle, audit: [Sample.draft()]))
        #expect(try await storage.preferences(of: ada.handle) == preferences)
      }
      #expect(try await storage.recordCount == 2)
      let nobody = try Sample.account().handle
      #expect(try await !storage.setPreferences(first, of: nobody, audit: [Sample.draft()]))
      #expect(try await storage.recordCount == 2)
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      #expect(try await storage.preferences(of: ada.handle) == .none)
    },
    Case("a locale is stored with a sign-in and with preferences, and not with a refused sign-in") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      for (locale, outcome) in [
        (MailLocale(language: "de", timeZone: "Europe/Berlin"), SignInOutcome.opened),
        (MailLocale(language: "fr"), .credentialChanged),
      ] {
        var commit = try signIn(passkey, Sample.opening(of: ada.handle, with: passkey.record.id))
        if outcome == .credentialChanged { commit.use.revision += 1 }
        commit.locale = locale
        #expect(try await storage.signIn(commit) == outcome)
        #expect(
          try await storage.account(ada.handle)?.locale == MailLocale(language: "de", timeZone: "Europe/Berlin"))
      }
      let chosen = MailLocale(language: "es")
      #expect(try await storage.setPreferences(.none, locale: chosen, of: ada.handle, audit: [Sample.draft()]))
      #expect(try await storage.account(ada.handle)?.locale == chosen)
    },
  ]

  static let reverifications: [Case] = [
    Case("a verification changes the session and the credential, and only with both") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try Sample.opening(of: ada.handle, with: passkey.record.id)
      #expect(try await storage.signIn(signIn(passkey, opening)) == .opened)
      var commit = ReverificationCommit(
        use: use(of: passkey, signCount: 7), session: opening.session.id, time: Sample.time(100),
        audit: [try Sample.draft(.sessionVerified)])
      var expected = opening.session
      (expected.verifiedAt, expected.lastSeen) = (Sample.time(100), Sample.time(100))
      #expect(try await storage.reverify(commit) == .verified(expected))
      #expect(try await storage.session(token: opening.token)?.session == expected)
      #expect(try await storage.passkey(passkey.record.id)?.record.signCount == 7)
      #expect(try await storage.recordCount == 1)
      // The revision has changed.
      #expect(try await storage.reverify(commit) == .credentialChanged)
      let current = try #require(try await storage.passkey(passkey.record.id))
      commit.use = use(of: current, signCount: 8)
      commit.session = try Sample.identifier()
      #expect(try await storage.reverify(commit) == .sessionEnded)
      #expect(try await storage.passkey(passkey.record.id) == current)
      let (_, other) = try await storage.registerAccount()
      commit.use = use(of: other, signCount: 8)
      commit.session = opening.session.id
      #expect(try await storage.reverify(commit) == .sessionEnded)
      #expect(try await storage.recordCount == 1)
    }
  ]

  static let pendingSessions: [Case] = [
    Case("a pending account holds a session only if the opening allows it") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount(Sample.account(nil, .pending))
      var opening = try Sample.opening(of: ada.handle, with: passkey.record.id, renewable: true)
      #expect(try await storage.signIn(signIn(passkey, opening)) == .accountRefused)
      opening.allowsPending = true
      #expect(try await storage.signIn(signIn(passkey, opening)) == .opened)
      #expect(try await storage.session(token: opening.token)?.account == ada)

      let presented = try #require(opening.refresh)
      let refresh = try Sample.refreshToken(of: opening.session, until: Sample.time(7_200))
      var renewal = SessionRenewal(
        presented: presented.digest, session: opening.session.id, token: try Sample.identifier(),
        expiry: Sample.time(1_000), refresh: refresh, time: Sample.time(100), audit: [], auditOfReuse: [])
      #expect(try await storage.renew(renewal) == .refused)
      renewal.allowsPending = true
      renewal.unverifiedSince = Sample.time(50)
      guard case .renewed(let session, _) = try await storage.renew(renewal) else {
        Issue.record("the session was not renewed")
        return
      }
      // A session that must be verified is renewed without counting as used.
      #expect(session.lastSeen == Sample.start && session.expiry == Sample.time(1_000))
    },
    Case("a registration opens a session of a pending account only if allowed, and a rejected one loses it") { store in
      let storage = store.storage
      for allowsPending in [false, true] {
        let account = try Sample.account(nil, .pending)
        let passkey = try Sample.passkey(of: account.handle)
        var opening = try Sample.opening(of: account.handle, with: passkey.record.id)
        opening.allowsPending = allowsPending
        let commit = RegistrationCommit(
          owner: .newAccount(account), passkey: passkey, code: nil, opening: opening, maximumPasskeyCount: 9,
          time: Sample.start, audit: [])
        #expect(try await storage.register(commit).value == account)
        #expect(try await (storage.session(token: opening.token) != nil) == allowsPending)
        _ = try await storage.change(account.handle, .reject, at: Sample.start, spending: nil, audit: [])
        #expect(try await storage.session(token: opening.token) == nil)
      }
    },
  ]

  @Sendable private static func use(of passkey: Passkey, signCount: UInt32) -> CredentialUse {
    CredentialUse(
      credential: passkey.record.id, user: passkey.user, revision: passkey.revision, signCount: signCount,
      backupState: false, changesRecord: true, time: Sample.start)
  }

  @Sendable private static func signIn(_ passkey: Passkey, _ opening: SessionOpening) -> SignInCommit {
    SignInCommit(
      use: CredentialUse(
        credential: passkey.record.id, user: passkey.user, revision: passkey.revision, signCount: 0,
        backupState: false, changesRecord: false, time: Sample.start),
      opening: opening, audit: [])
  }
}
