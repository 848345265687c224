// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing
import WebAuthnTypes

extension StorageContract {
  static let identity: [Case] = [
    Case("a store is whoever's says so first, of many at once as well, and is told to all others") { store in
      let names = try (0..<20).map { number in
        StoreIdentity(relyingParty: try RelyingPartyID("s\(number).example.org"), secretCheck: try Sample.bytes(32))
      }
      let told = try await store.inParallel(names.count) { (storage, number) in
        try await storage.claim(for: names[number])
      }
      let owner = try #require(told.first)
      #expect(names.contains(owner))
      #expect(told.allSatisfy { $0 == owner })
      #expect(try await store.storage.claim(for: names[3]) == owner)
    }
  ]
}
