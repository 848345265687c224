// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let credentials: [Case] = [
    Case("the lists that decoys imitate leave out pending accounts") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let pending = try Registration(of: Sample.account(nil, .pending)).commit
      guard case .success(let account) = try await storage.register(pending) else {
        Issue.record("the registration was refused")
        return
      }
      #expect(try await storage.credentialLists(limit: 9) == [[passkey.record.descriptor]])
      _ = try await storage.change(account.handle, .approve, at: Sample.start, spending: nil, audit: [])
      #expect(try await storage.credentialLists(limit: 9).count == 2)
    },
    Case("the lists of decoys stay until they are replaced") { (store) async throws in
      let storage = store.storage
      #expect(try await storage.decoyLists() == nil)
      #expect(try await storage.storeDecoyLists([1, 2], replacing: false) == [1, 2])
      #expect(try await storage.storeDecoyLists([3], replacing: false) == [1, 2])
      #expect(try await storage.decoyLists() == [1, 2])
      #expect(try await storage.storeDecoyLists([4], replacing: true) == [4])
      #expect(try await storage.decoyLists() == [4])
    },
    Case("passkeys are listed in creation order") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      var all = [first]
      for _ in 0..<8 { all.append(try await storage.add(to: ada)) }
      #expect(try await storage.passkeys(of: ada.handle) == all)
      #expect(try await storage.passkeys(of: Sample.account().handle).isEmpty)
    },
    Case("a passkey is returned as stored") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      var commit = try Registration(of: ada).commit
      commit.owner = .account(ada.handle, session: nil)
      var passkey = commit.passkey
      passkey.record.signCount = .max
      passkey.record.transports = []
      passkey.record.attestationObject = nil
      passkey.record.attestationClientDataJSON = nil
      passkey.record.relyingPartyID = nil
      passkey.record.backupState = true
      passkey.aaguid = try #require(AAGUID(Sample.bytes(16)))
      passkey.attestation = Passkey.AttestationSummary(format: .none, type: "none", trust: .none, reason: nil)
      passkey.name = try Passkey.Name("🔑 café 日本")
      passkey.lastUsed = Sample.time(1)
      passkey.cloneSignal = Sample.time(2)
      passkey.backupSignal = Sample.time(3)
      commit.passkey = passkey
      _ = try await storage.register(commit)
      #expect(try await storage.passkey(passkey.record.id) == passkey)
      #expect(try await storage.passkeys(of: ada.handle).last == passkey)
    },
    Case("only its owner renames a passkey, and its revision stays") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let name = try Passkey.Name("Work laptop")
      let draft = try Sample.draft(.credentialRenamed)
      #expect(try await !storage.rename(passkey.record.id, of: ben.handle, to: name, audit: [draft]))
      #expect(try await !storage.rename(CredentialID(Sample.bytes(9)), of: ada.handle, to: name, audit: [draft]))
      #expect(try await storage.recordCount == 0)
      #expect(try await storage.rename(passkey.record.id, of: ada.handle, to: name, audit: [draft]))
      var expected = passkey
      expected.name = name
      #expect(try await storage.passkey(passkey.record.id) == expected)
      #expect(try await storage.recordCount == 1)
    },
    Case("only its owner deletes a passkey, which ends its other sessions") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      let second = try await storage.add(to: ada)
      let (ben, _) = try await storage.registerAccount()
      let here = try await storage.open(first)
      let there = try await storage.open(first, renewable: true)
      let elsewhere = try await storage.open(second)
      func delete(_ id: CredentialID, of user: UserHandle) async throws -> Result<Void, ServiceError> {
        try await storage.delete(
          id, of: user, keeping: here.session.id, allowingLast: false, spending: nil,
          audit: [Sample.draft(.credentialDeleted)])
      }
      #expect(try await delete(first.record.id, of: ben.handle).refusal == .credentialUnknown)
      #expect(try await delete(CredentialID(Sample.bytes(9)), of: ada.handle).refusal == .credentialUnknown)
      #expect(try await storage.recordCount == 0)
      #expect(try await delete(first.record.id, of: ada.handle).refusal == nil)
      #expect(try await storage.recordCount == 1)
      #expect(try await storage.passkeys(of: ada.handle).map(\.record.id) == [second.record.id])
      #expect(try await storage.passkey(first.record.id) == nil)
      #expect(try await storage.session(token: here.token) != nil)
      #expect(try await storage.session(token: there.token) == nil)
      #expect(try await storage.refreshToken(#require(there.refresh).digest) == nil)
      #expect(try await storage.session(token: elsewhere.token) != nil)
      #expect(try await delete(second.record.id, of: ada.handle).refusal == .credentialLast)
      #expect(
        try await storage.delete(
          second.record.id, of: ada.handle, keeping: nil, allowingLast: true, spending: nil, audit: []
        ).refusal == nil)
      #expect(try await storage.passkeys(of: ada.handle).isEmpty)
      #expect(try await storage.session(token: elsewhere.token) == nil)
    },
    Case("a passkey is the last one if all others are disabled") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      let second = try await storage.add(to: ada)
      let third = try await storage.add(to: ada)
      #expect(try await storage.disable(second.record.id, of: ada.handle, cloneSignal: nil, audit: []))
      func delete(_ passkey: Passkey, allowingLast: Bool = false) async throws -> Result<Void, ServiceError> {
        try await storage.delete(
          passkey.record.id, of: ada.handle, keeping: nil, allowingLast: allowingLast, spending: nil, audit: [])
      }
      #expect(try await delete(third).refusal == nil)
      #expect(try await delete(first).refusal == .credentialLast)
      #expect(try await storage.passkey(first.record.id) == first)
      #expect(try await delete(second).refusal == nil)
      #expect(try await delete(first).refusal == .credentialLast)
      #expect(try await delete(first, allowingLast: true).refusal == nil)
    },
    Case("the two last passkeys cannot be deleted concurrently") { store in
      let (ada, first) = try await store.storage.registerAccount()
      let second = try await store.storage.add(to: ada)
      let ids = [first.record.id, second.record.id]
      let outcomes = try await store.inParallel(2) { (storage, number) in
        try await storage.delete(
          ids[number], of: ada.handle, keeping: nil, allowingLast: false, spending: nil, audit: [])
      }
      #expect(outcomes.filter { $0.refusal == nil }.count == 1)
      #expect(outcomes.filter { $0.refusal == .credentialLast }.count == 1)
    },
    Case("the passkeys of all accounts are listed in pages, each once") { store in
      let storage = store.storage
      var ids: Set<CredentialID> = []
      for _ in 0..<3 {
        let (account, first) = try await storage.registerAccount()
        ids.formUnion([first.record.id, try await storage.add(to: account).record.id])
      }
      var found: [CredentialID] = []
      while true {
        let page = try await storage.passkeys(after: found.last, limit: 4)
        found += page.map(\.record.id)
        if page.count < 4 { break }
      }
      #expect(found.count == 6)
      #expect(Set(found) == ids)
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.bytes.lexicographicallyPrecedes($1.bytes) })
    },
    Case("deleting a passkey spends its grant, and fails without one") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      let second = try await storage.add(to: ada)
      let opening = try await storage.open(first)
      let grant = try await storage.grant(first, opening)
      var wrong = GrantSpending(grant)
      wrong.session = try Sample.identifier()
      func delete(_ grant: GrantSpending) async throws -> Result<Void, ServiceError> {
        try await storage.delete(
          second.record.id, of: ada.handle, keeping: nil, allowingLast: false, spending: grant, audit: [])
      }
      #expect(try await delete(wrong).refusal == .stepUpGrantRefused)
      #expect(try await delete(GrantSpending(grant)).refusal == .stepUpGrantRefused)
      #expect(try await storage.passkey(second.record.id) == second)
      #expect(try await delete(GrantSpending(storage.grant(first, opening))).refusal == nil)
    },
    Case("disabling a passkey ends all its owner's sessions and prevents new ones") { store in
      let storage = store.storage
      let (ada, first) = try await storage.registerAccount()
      let second = try await storage.add(to: ada)
      let one = try await storage.open(first)
      let two = try await storage.open(second, renewable: true)
      let draft = try Sample.draft(.credentialDisabled)
      let (ben, _) = try await storage.registerAccount()
      #expect(try await !storage.disable(first.record.id, of: ben.handle, cloneSignal: nil, audit: [draft]))
      #expect(try await storage.disable(first.record.id, of: ada.handle, cloneSignal: Sample.time(5), audit: [draft]))
      #expect(try await !storage.disable(first.record.id, of: ada.handle, cloneSignal: nil, audit: [draft]))
      #expect(try await storage.recordCount == 1)
      let disabled = try #require(try await storage.passkey(first.record.id))
      #expect(disabled.isDisabled)
      #expect(disabled.cloneSignal == Sample.time(5))
      #expect(disabled.revision == first.revision + 1)
      #expect(try await storage.session(token: one.token) == nil)
      #expect(try await storage.session(token: two.token) == nil)
      let opening = try Sample.opening(of: ada.handle, with: first.record.id)
      for known in [first, disabled] {
        #expect(
          try await storage.signIn(SignInCommit(use: CredentialUse(known), opening: opening, audit: []))
            == .credentialChanged)
      }
      _ = try await storage.open(second)
    },
  ]
}
