// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let ceremonies: [Case] = [
    Case("a ceremony is returned as stored, once") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      for user in [account.handle, nil] {
        let kept = try Sample.ceremony(of: user)
        #expect(try await storage.store(kept, spending: nil, audit: []) == .stored)
        let taken = try await storage.take(kept.id, credential: passkey.record.id)
        #expect(taken == TakenCeremony(ceremony: kept, passkey: passkey, account: account))
        let again = try await storage.take(kept.id, credential: passkey.record.id)
        #expect(again == TakenCeremony(ceremony: nil, passkey: passkey, account: account))
      }
    },
    Case("an unknown credential finds nothing, and the ceremony is still taken") { store in
      let storage = store.storage
      let kept = try Sample.ceremony(of: try Sample.account().handle)
      _ = try await storage.store(kept, spending: nil, audit: [])
      let stranger = try CredentialID(Sample.bytes(16))
      #expect(
        try await storage.take(kept.id, credential: stranger)
          == TakenCeremony(ceremony: kept, passkey: nil, account: nil))
      #expect(try await storage.take(kept.id, credential: stranger).ceremony == nil)
    },
    Case("an expired ceremony is returned, so that the service can report it") { store in
      let kept = try Sample.ceremony(until: Sample.time(-1000))
      _ = try await store.storage.store(kept, spending: nil, audit: [])
      #expect(try await store.storage.take(kept.id, credential: CredentialID([1])).ceremony == kept)
    },
    Case("of 200 concurrent takes one gets the ceremony") { store in
      let (_, passkey) = try await store.storage.registerAccount()
      let kept = try Sample.ceremony()
      _ = try await store.storage.store(kept, spending: nil, audit: [])
      let taken = try await store.inParallel(200) { (storage, _) in
        try await storage.take(kept.id, credential: passkey.record.id).ceremony
      }
      #expect(taken.compactMap { $0 } == [kept])
      #expect(taken.count == 200)
    },
    Case("a ceremony id is unique") { store in
      let kept = try Sample.ceremony()
      _ = try await store.storage.store(kept, spending: nil, audit: [])
      let other = PendingCeremony(id: kept.id, user: nil, expiry: kept.expiry, payload: [1])
      await expect(.conflict) { try await store.storage.store(other, spending: nil, audit: []) }
      #expect(try await store.storage.take(kept.id, credential: CredentialID([1])).ceremony == kept)
    },
    Case("a ceremony spends its grant, and is not stored without one") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      let kept = try Sample.ceremony(of: account.handle)
      let draft = try Sample.draft(.stepUpSpent, of: account.handle)
      #expect(try await storage.store(kept, spending: GrantSpending(grant), audit: [draft]) == .stored)
      #expect(try await storage.recordCount == 1)
      let second = try Sample.ceremony(of: account.handle)
      #expect(try await storage.store(second, spending: GrantSpending(grant), audit: [draft]) == .grantRefused)
      #expect(try await storage.recordCount == 1)
      #expect(try await storage.take(second.id, credential: passkey.record.id).ceremony == nil)
      #expect(try await storage.take(kept.id, credential: passkey.record.id).ceremony == kept)
    },
  ]
}

/// Expects `body` to fail with this code.
func expect(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Sendable
) async {
  do {
    let outcome = try await body()
    Issue.record("\(outcome) in place of \(code.rawValue)", sourceLocation: sourceLocation)
  } catch let error as StorageError {
    #expect(error.code == code, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
