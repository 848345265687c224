// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyService

extension StorageContract {
  static let identity: [Case] = [
    Case("the first of many concurrent claims owns a store, and the others learn it") { store in
      let owners = try (0..<20).map { number in
        StoreIdentity(
          relyingParty: try RelyingPartyID("s\(number).example.org"), secretCheck: try Sample.bytes(32))
      }
      let beginning = try LogWorld(store.storage).beginning
      let told = try await store.inParallel(owners.count) { (storage, number) in
        try await storage.claim(owners[number], beginning: beginning)
      }
      let owner = try #require(told.first)
      #expect(owners.contains(owner))
      #expect(told.allSatisfy { $0 == owner })
      #expect(try await store.storage.claim(owners[3], beginning: beginning) == owner)
      #expect(try await store.storage.auditEntries(after: 0, of: nil, limit: 9).count == 1)
    },
    Case("of servers that claim a new store at once, one begins its log, and all can sign") { store in
      let worlds = try await store.inParallel(6) { (storage, _) in
        let world = try LogWorld(storage)
        try await world.service.claimStore(at: Sample.start)
        return world
      }
      #expect(try await worlds[0].service.auditLog()?.log.epoch == 1)
      for world in worlds {
        try await store.storage.append([Sample.draft()])
        try await world.service.sweep(at: Sample.start)
        #expect(try await world.verifyAll().log == worlds[0].service.auditLog()?.log)
      }
      #expect(try await worlds[0].verifyAll().checkpoint?.checkpoint.size == 7)
      #expect(try await store.storage.auditEntries(after: 0, of: nil, limit: 2).map(\.record.sequence) == [1, 2])
    },
    Case("only a new store begins a log with its claim") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      // An attacker may have deleted the identity and the trail.
      try await world.service.claimStore(at: Sample.start)
      #expect(try await world.service.auditLog() == nil)
      _ = try await store.storage.erase(ada.handle, spending: nil, audit: [])
      try await world.service.claimStore(at: Sample.start)
      #expect(try await world.service.auditLog() == nil)
      #expect(try await store.storage.identity()?.relyingParty.text == "raxx.app")
      // An operator begins one.
      let log = try await world.begin()
      try await world.service.claimStore(at: Sample.start)
      #expect(try await world.service.auditLog()?.log == log)
    },
  ]
}

extension LogWorld {
  /// The beginning of the log of a new store.
  fileprivate var beginning: AuditLogBeginning {
    get throws { try service.logBeginning(in: context) }
  }
}
