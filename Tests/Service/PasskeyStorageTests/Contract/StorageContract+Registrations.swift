// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let registrations: [Case] = [
    Case("a recovery ends sessions, and disables other passkeys if configured") { store in
      let storage = store.storage
      for disables in [false, true] {
        let (ada, passkey) = try await storage.registerAccount()
        let old = try await storage.open(passkey, renewable: true)
        let new = try Sample.passkey(of: ada.handle)
        let opening = try Sample.opening(of: ada.handle, with: new.record.id)
        var commit = RegistrationCommit(
          owner: .account(ada.handle, session: nil), passkey: new, code: nil, opening: opening, maximumPasskeyCount: 9,
          time: Sample.start, audit: [])
        commit.endsSessions = true
        commit.disablesOtherPasskeys = disables
        #expect(try await storage.register(commit).value == ada)
        #expect(try await storage.session(token: old.token) == nil)
        #expect(try await storage.refreshToken(#require(old.refresh).digest) == nil)
        #expect(try await storage.session(token: opening.token)?.session == opening.session)
        let passkeys = try await storage.passkeys(of: ada.handle)
        #expect(passkeys.map(\.isDisabled) == [disables, false])
        #expect(passkeys.first?.revision == passkey.revision + (disables ? 1 : 0))
      }
    },
    Case("a registration stores account, passkey and session together") { store in
      let storage = store.storage
      let ada = try Sample.account("ada@raxx.app", roles: [Role(rawValue: "trader")])
      let commit = try Registration(of: ada).commit
      #expect(try await storage.register(commit).value == ada)
      #expect(try await storage.account(ada.handle) == ada)
      #expect(try await storage.passkey(commit.passkey.record.id) == commit.passkey)
      #expect(try await storage.passkeys(of: ada.handle) == [commit.passkey])
      let opening = try #require(commit.opening)
      let found = try await storage.session(token: opening.token)
      #expect(found?.session == opening.session)
      #expect(found?.account == ada)
      #expect(try await storage.refreshToken(#require(opening.refresh).digest) == opening.refresh)
      #expect(try await storage.recordCount == 1)
    },
    Case("a registration of a pending account opens no session") { store in
      let storage = store.storage
      let ada = try Sample.account(nil, .pending)
      let commit = try Registration(of: ada).commit
      #expect(try await storage.register(commit).value == ada)
      #expect(try await storage.session(token: #require(commit.opening).token) == nil)
      #expect(try await storage.refreshToken(#require(commit.opening?.refresh).digest) == nil)
    },
    Case("a registration under a taken address changes nothing") { store in
      let storage = store.storage
      _ = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let commit = try Registration(of: Sample.account("ada@raxx.app")).commit
      #expect(try await storage.register(commit).refusal == .signUpEmailTaken)
      try await expectUntouched(storage, by: commit)
    },
    Case("a registered credential id is refused for every account") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      var commit = try Registration(of: Sample.account()).commit
      commit.passkey.record.id = passkey.record.id
      for owner in [
        commit.owner, .account(ada.handle, session: nil), RegistrationCommit.Owner.account(ben.handle, session: nil),
      ] {
        commit.owner = owner
        #expect(try await storage.register(commit).refusal == .signUpCredentialKnown)
      }
      #expect(try await storage.passkey(passkey.record.id) == passkey)
      #expect(try await storage.recordCount == 0)
      #expect(try await storage.session(token: #require(commit.opening).token) == nil)
    },
    Case("of 50 concurrent registrations of one credential one succeeds") { store in
      let id = try CredentialID(Sample.bytes(32))
      let outcomes = try await store.inParallel(50) { (storage, _) in
        var commit = try Registration(of: Sample.account()).commit
        commit.passkey.record.id = id
        return try await storage.register(commit)
      }
      #expect(outcomes.filter { $0.refusal == nil }.count == 1)
      #expect(outcomes.filter { $0.refusal == .signUpCredentialKnown }.count == 49)
      #expect(try await store.storage.recordCount == 1)
    },
    Case("the passkey limit holds for concurrent registrations") { store in
      let (ada, _) = try await store.storage.registerAccount()
      let outcomes = try await store.inParallel(20) { (storage, _) in
        var commit = try Registration(of: ada).commit
        commit.owner = .account(ada.handle, session: nil)
        commit.maximumPasskeyCount = 4
        return try await storage.register(commit)
      }
      #expect(outcomes.filter { $0.value == ada }.count == 3)
      #expect(outcomes.filter { $0.refusal == .credentialTooMany }.count == 17)
      #expect(try await store.storage.passkeys(of: ada.handle).count == 4)
      #expect(try await store.storage.sessions(of: ada.handle, limit: 99).count == 3)
    },
    Case("a passkey for a disabled or unknown account is refused") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      _ = try await storage.change(ada.handle, .disable, at: Sample.start, spending: nil, audit: [])
      for handle in [ada.handle, try Sample.account().handle] {
        var commit = try Registration(of: ada).commit
        commit.owner = .account(handle, session: nil)
        commit.passkey.user = handle
        #expect(try await storage.register(commit).refusal == .signUpAccountRefused)
        #expect(try await storage.passkey(commit.passkey.record.id) == nil)
      }
    },
    Case("a passkey is added only in an open session of its account") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (_, othersPasskey) = try await storage.registerAccount()
      let own = try await storage.open(passkey)
      let others = try await storage.open(othersPasskey)
      var commit = try Registration(of: ada).commit
      commit.opening = nil
      for session in [others.session.id, try Sample.identifier()] {
        commit.owner = .account(ada.handle, session: session)
        #expect(try await storage.register(commit).refusal == .sessionUnknown)
      }
      commit.owner = .account(ada.handle, session: own.session.id)
      #expect(try await storage.register(commit).value == ada)
      #expect(try await storage.passkeys(of: ada.handle).count == 2)
      #expect(try await storage.sessions(of: ada.handle, limit: 9).count == 1)
    },
    Case("a registration spends its invitation, and only one can") { store in
      let invitation = IssuedCode(
        digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: Sample.time(100))
      _ = try await store.storage.issue(invitation, spending: nil, audit: [])
      let outcomes = try await store.inParallel(30) { (storage, _) in
        var commit = try Registration(of: Sample.account()).commit
        commit.code = invitation.digest
        return try await storage.register(commit)
      }
      #expect(outcomes.filter { $0.refusal == nil }.count == 1)
      #expect(outcomes.filter { $0.refusal == .signUpCodeRefused }.count == 29)
      #expect(try await store.storage.code(invitation.digest) == nil)
    },
    Case("a code that is expired, of another kind or for another account is refused and stays") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let recovery = IssuedCode(
        digest: try Sample.identifier(), purpose: .recovery, account: ada.handle, created: Sample.start,
        expiry: Sample.time(100))
      let invitation = IssuedCode(
        digest: try Sample.identifier(), purpose: .invitation, email: try EmailAddress("cora@raxx.app"),
        created: Sample.start, expiry: Sample.time(100))
      for code in [recovery, invitation] { _ = try await storage.issue(code, spending: nil, audit: []) }
      var commit = try Registration(of: Sample.account("dora@raxx.app")).commit
      for code in [recovery, invitation] {
        commit.code = code.digest
        #expect(try await storage.register(commit).refusal == .signUpCodeRefused)
      }
      commit.code = recovery.digest
      commit.owner = .account(ben.handle, session: nil)
      #expect(try await storage.register(commit).refusal == .signUpCodeRefused)
      commit.owner = .account(ada.handle, session: nil)
      commit.passkey.user = ada.handle
      commit.opening = nil
      commit.time = Sample.time(101)
      #expect(try await storage.register(commit).refusal == .signUpCodeRefused)
      #expect(try await storage.code(recovery.digest) == recovery)
      commit.time = Sample.time(100)
      #expect(try await storage.register(commit).value == ada)
      #expect(try await storage.code(recovery.digest) == nil)
    },
    Case("a registration that fails for another reason does not spend its code") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let invitation = IssuedCode(
        digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: Sample.time(100))
      _ = try await storage.issue(invitation, spending: nil, audit: [])
      var commit = try Registration(of: Sample.account()).commit
      commit.code = invitation.digest
      commit.passkey.record.id = passkey.record.id
      #expect(try await storage.register(commit).refusal == .signUpCredentialKnown)
      #expect(try await storage.code(invitation.digest) == invitation)
    },
  ]

  private static func expectUntouched(_ storage: DatabaseStorage, by commit: RegistrationCommit) async throws {
    #expect(try await storage.account(commit.passkey.user) == nil)
    #expect(try await storage.passkey(commit.passkey.record.id) == nil)
    #expect(try await storage.session(token: #require(commit.opening).token) == nil)
    #expect(try await storage.recordCount == 0)
  }
}

/// The registration of a new user, with a renewable session.
struct Registration {
  let commit: RegistrationCommit

  init(of account: Account) throws {
    let passkey = try Sample.passkey(of: account.handle)
    commit = RegistrationCommit(
      owner: .newAccount(account), passkey: passkey, code: nil,
      opening: try Sample.opening(of: account.handle, with: passkey.record.id, renewable: true),
      maximumPasskeyCount: 20, time: Sample.start, audit: [try Sample.draft(.credentialRegistered, of: account.handle)])
  }
}
