// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

extension StorageContract {
  static let signIns: [Case] = [
    Case("a sign-in updates the credential, opens the session and records it") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      var use = CredentialUse(passkey, signCount: 7, at: Sample.time(10))
      use.backupState = true
      use.suspectsClone = true
      use.changesBackupEligibility = true
      let opening = try Sample.opening(of: ada.handle, with: passkey.record.id, renewable: true)
      let commit = SignInCommit(use: use, opening: opening, audit: [try Sample.draft(of: ada.handle)])
      #expect(try await storage.signIn(commit) == .opened)
      var expected = passkey
      expected.record.signCount = 7
      expected.record.backupState = true
      expected.lastUsed = Sample.time(10)
      expected.cloneSignal = Sample.time(10)
      expected.backupSignal = Sample.time(10)
      expected.revision = passkey.revision + 1
      #expect(try await storage.passkey(passkey.record.id) == expected)
      #expect(try await storage.session(token: opening.token)?.session == opening.session)
      #expect(try await storage.session(token: opening.token)?.account == ada)
      #expect(try await storage.refreshToken(#require(opening.refresh).digest) == opening.refresh)
      #expect(try await storage.recordCount == 1)
    },
    Case("a use verified against an older record changes nothing") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let first = try Sample.opening(of: ada.handle, with: passkey.record.id)
      let second = try Sample.opening(of: ada.handle, with: passkey.record.id)
      let draft = try Sample.draft()
      #expect(
        try await storage.signIn(
          SignInCommit(use: CredentialUse(passkey, signCount: 5), opening: first, audit: [draft])) == .opened)
      #expect(
        try await storage.signIn(
          SignInCommit(use: CredentialUse(passkey, signCount: 6), opening: second, audit: [draft]))
          == .credentialChanged)
      #expect(try await storage.passkey(passkey.record.id)?.record.signCount == 5)
      #expect(try await storage.session(token: second.token) == nil)
      #expect(try await storage.recordCount == 1)
    },
    Case("of 50 concurrent sign-ins with a counter one updates the record") { store in
      let (ada, passkey) = try await store.storage.registerAccount()
      let outcomes = try await store.inParallel(50) { (storage, number) in
        try await storage.signIn(
          SignInCommit(
            use: CredentialUse(passkey, signCount: UInt32(number + 1)),
            opening: Sample.opening(of: ada.handle, with: passkey.record.id), audit: [Sample.draft()]))
      }
      #expect(outcomes.filter { $0 == .opened }.count == 1)
      #expect(outcomes.filter { $0 == .credentialChanged }.count == 49)
      #expect(try await store.storage.recordCount == 1)
      #expect(try await store.storage.sessions(of: ada.handle, limit: 99).count == 1)
    },
    Case("50 concurrent sign-ins without changes to the record succeed") { store in
      let (ada, passkey) = try await store.storage.registerAccount()
      let outcomes = try await store.inParallel(50) { (storage, number) in
        try await storage.signIn(
          SignInCommit(
            use: CredentialUse(passkey, at: Sample.time(number)),
            opening: Sample.opening(of: ada.handle, with: passkey.record.id), audit: [Sample.draft()]))
      }
      #expect(outcomes.allSatisfy { $0 == .opened })
      #expect(try await store.storage.sessions(of: ada.handle, limit: 99).count == 50)
      let used = try await store.storage.passkey(passkey.record.id)
      #expect(used?.revision == passkey.revision)
      #expect(used?.lastUsed == Sample.time(49))
      try await expectWholeTrail(store.storage, 50)
    },
    Case("inactive, unknown and foreign accounts get no session") { store in
      let storage = store.storage
      let (pending, first) = try await storage.registerAccount(Sample.account(nil, .pending))
      let (disabled, second) = try await storage.registerAccount()
      _ = try await storage.change(disabled.handle, .disable, at: Sample.start, spending: nil, audit: [])
      for (account, passkey) in [(pending, first), (disabled, second)] {
        let opening = try Sample.opening(of: account.handle, with: passkey.record.id)
        #expect(
          try await storage.signIn(SignInCommit(use: CredentialUse(passkey), opening: opening, audit: []))
            == .accountRefused)
        #expect(try await storage.session(token: opening.token) == nil)
        #expect(try await storage.passkey(passkey.record.id)?.lastUsed == nil)
      }
      let (ada, third) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let opening = try Sample.opening(of: ben.handle, with: third.record.id)
      var use = CredentialUse(third)
      use.user = ben.handle
      #expect(try await storage.signIn(SignInCommit(use: use, opening: opening, audit: [])) == .credentialChanged)
      use.user = ada.handle
      use.credential = try CredentialID(Sample.bytes(32))
      #expect(try await storage.signIn(SignInCommit(use: use, opening: opening, audit: [])) == .credentialChanged)
    },
    Case("session ids and tokens are unique") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, renewable: true)
      var sameName = try Sample.opening(of: ada.handle, with: passkey.record.id)
      sameName.session.id = opening.session.id
      var sameToken = try Sample.opening(of: ada.handle, with: passkey.record.id)
      sameToken.token = opening.token
      for second in [sameName, sameToken] {
        await expect(.conflict) {
          try await storage.signIn(
            SignInCommit(use: CredentialUse(passkey, signCount: 9), opening: second, audit: [Sample.draft()]))
        }
      }
      #expect(try await storage.session(token: opening.token)?.session == opening.session)
      #expect(try await storage.passkey(passkey.record.id)?.record.signCount == 0)
      #expect(try await storage.recordCount == 0)
    },
  ]

  /// Expects the trail to be valid and to have this number of records.
  static func expectWholeTrail(_ storage: DatabaseStorage, _ count: Int64) async throws {
    #expect(try await storage.recordCount == count)
    #expect(try await LogWorld(storage).verifyAfterSequencing().checkpoint?.checkpoint.size == UInt64(count + 1))
  }
}
