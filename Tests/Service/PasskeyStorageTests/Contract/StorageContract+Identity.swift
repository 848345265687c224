// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

extension StorageContract {
  static let identity: [Case] = [
    Case("the first of many concurrent claims owns a store, and the others learn it") { store in
      let claims = try (0..<20).map { number in try SealSample.claim("s\(number).example.org") }
      let told = try await store.inParallel(claims.count) { (storage, number) in
        try await storage.claim(claims[number])
      }
      let owner = try #require(told.first)
      #expect(claims.map(\.identity).contains(owner))
      #expect(told.allSatisfy { $0 == owner })
      #expect(try await store.storage.claim(claims[3]) == owner)
    },
    Case("of servers that claim a new store at once, each with a key, one begins its log") { store in
      let worlds = try await store.inParallel(6) { (storage, _) in
        let world = try LogWorld(storage)
        let isNew = try await world.service.isStoreNew()
        let hasLog = try await world.service.auditLog() != nil
        #expect(isNew || hasLog)
        try await world.service.claimStore(beginningLogWith: world.key, in: world.context)
        return world
      }
      #expect(try await !worlds[0].service.isStoreNew())
      let log = try #require(try await worlds[0].service.auditLog()?.log)
      #expect(log.epoch == 1 && log.after == 0)
      try await store.storage.append([Sample.draft()])
      var winners = 0
      for world in worlds {
        do {
          try await world.sequence()
          winners += 1
        } catch let error as ServiceError {
          #expect(error.code == .auditKeyMismatch)
        }
      }
      #expect(winners == 1)
      let trail = try await worlds[0].verifyAll()
      try worlds[0].service.verifyAuditEnd(trail.chain)
      #expect(trail.checkpoint?.checkpoint.size == 2 && trail.chain.head == .beginning)
      #expect(try await store.storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record.sequence) == [1, 2])
    },
    Case("only a new store begins a log with its claim") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      #expect(try await !world.service.isStoreNew())
      // An attacker may have deleted the identity and the trail.
      try await world.service.claimStore(beginningLogWith: world.key, in: world.context)
      #expect(try await world.service.auditLog() == nil)
      _ = try await store.storage.erase(ada.handle, spending: nil, audit: [])
      try await world.service.claimStore(beginningLogWith: world.key, in: world.context)
      #expect(try await world.service.auditLog() == nil)
      #expect(try await store.storage.identity()?.relyingParty.text == "raxx.app")
    },
    Case("a store that was claimed with a chain keeps it") { store in
      let world = try LogWorld(store.storage)
      #expect(try await store.storage.identity() == nil)
      #expect(try await world.service.isStoreNew())
      try await world.service.claimStore()
      #expect(try await !world.service.isStoreNew())
      try await world.service.claimStore(beginningLogWith: world.key, in: world.context)
      #expect(try await world.service.auditLog() == nil)
      let log = try await world.begin()
      try await world.service.claimStore(beginningLogWith: LogWorld(store.storage).key, in: world.context)
      #expect(try await world.service.auditLog()?.log == log)
    },
    Case("every write to a claimed store seals its trail") { store in
      let claim = try SealSample.claim()
      #expect(try await store.storage.claim(claim) == claim.identity)
      try claim.key.verify(await store.storage.auditEnd())
      let drafts = try (0..<40).map { _ in try SealSample.draft(claim.key) }
      _ = try await store.inParallel(drafts.count) { (storage, number) in try await storage.append([drafts[number]]) }
      let end = try await store.storage.auditEnd()
      #expect(end.head.sequence == 40)
      try claim.key.verify(end)
      #expect(try await store.storage.verifyAuditTrail().get().chain == end)
      let other = try SealSample.claim()
      #expect { try other.key.verify(end) } throws: { ($0 as? ServiceError)?.code == .auditSealMismatch }
    },
    Case("an unsealed record leaves the trail unsealed until it is adopted") { store in
      let claim = try SealSample.claim()
      _ = try await store.storage.claim(claim)
      try await store.storage.append([SealSample.draft(nil)])
      try await store.storage.append([SealSample.draft(claim.key)])
      _ = try await store.storage.claim(claim)
      let end = try await store.storage.auditEnd()
      #expect { try claim.key.verify(end) } throws: { ($0 as? ServiceError)?.code == .auditSealMissing }
      let adopted = AuditEnd(head: end.head, seal: .tag(claim.key.seal(of: end.head)))
      var stale = adopted
      stale.head.sequence -= 1
      #expect(try await !store.storage.sealAudit(stale, audit: []))
      #expect(try await store.storage.sealAudit(adopted, audit: [SealSample.draft(claim.key)]))
      try claim.key.verify(await store.storage.auditEnd())
    },
    Case("an unsealed trail of the same secret is sealed once") { store in
      let claim = try SealSample.claim()
      let former = StoreClaim(
        identity: claim.formerIdentity, formerIdentity: try SealSample.claim().identity, key: claim.key)
      _ = try await store.storage.claim(former)
      try await store.storage.append([SealSample.draft(nil)])
      #expect(try await store.storage.claim(claim) == claim.identity)
      try claim.key.verify(await store.storage.auditEnd())
      // A trail that has lost its seal is not sealed again.
      try await store.storage.append([SealSample.draft(nil)])
      _ = try await store.storage.claim(claim)
      let end = try await store.storage.auditEnd()
      #expect { try claim.key.verify(end) } throws: { ($0 as? ServiceError)?.code == .auditSealMissing }
    },
  ]
}

/// Claims and drafts with keys.
enum SealSample {
  static func claim(_ party: String = "raxx.app") throws -> StoreClaim {
    let id = try RelyingPartyID(party)
    return StoreClaim(
      identity: StoreIdentity(relyingParty: id, secretCheck: try Sample.bytes(32)),
      formerIdentity: StoreIdentity(relyingParty: id, secretCheck: try Sample.bytes(32)),
      key: AuditKey(SecretBytes(try Sample.bytes(32))))
  }

  static func draft(_ key: AuditKey?) throws -> AuditDraft {
    AuditDraft(
      time: Sample.start, actor: nil, account: nil, event: AuditEvent(rawValue: "test.done"), requestID: "r", key: key)
  }
}
