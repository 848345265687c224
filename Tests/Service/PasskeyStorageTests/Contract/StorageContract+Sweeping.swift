// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let sweeping: [Case] = [
    Case("a sweep deletes unusable data and keeps usable data") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let now = Sample.time(1000)
      let oldCeremony = try Sample.ceremony(until: now - .seconds(1))
      let newCeremony = try Sample.ceremony(until: now)
      for ceremony in [oldCeremony, newCeremony] { #expect(try await storage.spend(ceremony)) }
      let oldSession = try await storage.open(passkey, lifetime: 999)
      let newSession = try await storage.open(passkey, lifetime: 1000)
      let renewable = try await storage.open(passkey, lifetime: 10, renewable: true)
      let oldGrant = try await storage.grant(passkey, newSession, until: now - .seconds(1))
      let newGrant = try await storage.grant(passkey, newSession, until: now)
      let codes = try [now - .seconds(1), now].map { expiry in
        IssuedCode(digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: expiry)
      }
      for code in codes { _ = try await storage.issue(code, spending: nil, audit: []) }

      #expect(try await storage.sweep(SweepBounds(time: now), limit: 100) == 4)
      #expect(try await storage.sweep(SweepBounds(time: now), limit: 100) == 0)
      let salt = try await storage.addSalt()
      #expect(try await !storage.presented(passkey.record.id, in: oldCeremony, sealedWith: salt).isSpent)
      #expect(try await storage.presented(passkey.record.id, in: newCeremony, sealedWith: salt).isSpent)
      #expect(try await storage.session(token: oldSession.token) == nil)
      #expect(try await storage.session(token: newSession.token) != nil)
      #expect(try await storage.session(token: renewable.token) != nil)
      #expect(try await storage.refreshToken(#require(renewable.refresh).digest) != nil)
      #expect(try await !storage.spend(GrantSpending(oldGrant), audit: []))
      #expect(try await storage.spend(GrantSpending(newGrant), audit: []))
      #expect(try await storage.code(codes[0].digest) == nil)
      #expect(try await storage.code(codes[1].digest) == codes[1])
      #expect(try await storage.account(ada.handle) == ada)
      #expect(try await storage.passkeys(of: ada.handle).count == 1)
      #expect(try await storage.recordCount == 0)
    },
    Case("a renewable session is deleted when it cannot be renewed any more") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey, lifetime: 10, renewable: true)
      let refresh = try #require(opening.refresh)
      _ = try await storage.sweep(SweepBounds(time: refresh.expiry + .seconds(1)), limit: 100)
      #expect(try await storage.refreshToken(refresh.digest) == nil)
      #expect(try await storage.session(token: opening.token) != nil)
      let end = try #require(opening.session.renewalEnd)
      _ = try await storage.sweep(SweepBounds(time: end), limit: 100)
      #expect(try await storage.session(token: opening.token) != nil)
      _ = try await storage.sweep(SweepBounds(time: end + .seconds(1)), limit: 100)
      #expect(try await storage.session(token: opening.token) == nil)
    },
    Case("an idle session is deleted with its tokens and grants") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let idle = try await storage.open(passkey, lifetime: 5000, renewable: true)
      let used = try await storage.open(passkey, lifetime: 5000)
      let grant = try await storage.grant(passkey, idle, until: Sample.time(5000))
      try await storage.touch(used.session.id, at: Sample.time(100))
      _ = try await storage.sweep(SweepBounds(time: Sample.time(200), idleSince: Sample.time(100)), limit: 100)
      #expect(try await storage.session(token: idle.token) == nil)
      #expect(try await storage.refreshToken(#require(idle.refresh).digest) == nil)
      #expect(try await !storage.spend(GrantSpending(grant), audit: []))
      #expect(try await storage.session(token: used.token) != nil)
    },
    Case("a sweep deletes a limited number of rows, and reports whether more are left") { store in
      let storage = store.storage
      for _ in 0..<25 { _ = try await storage.spend(Sample.ceremony(until: Sample.start)) }
      var counts: [Int] = []
      repeat {
        counts.append(try await storage.sweep(SweepBounds(time: Sample.time(1)), limit: 10))
      } while counts.last != 0 && counts.count < 10
      #expect(counts.reduce(0, +) == 25)
      #expect(counts.allSatisfy { $0 <= 10 })
      #expect(counts.last == 0)
    },
    Case("a sweep of many sessions deletes them with their tokens and grants, and no others") { store in
      let storage = store.storage
      var left: [SessionOpening] = []
      var ended: [SessionOpening] = []
      var grants: [StepUpGrant] = []
      for _ in 0..<3 {
        let (_, passkey) = try await storage.registerAccount()
        for number in 0..<50 {
          let opening = try await storage.open(passkey, lifetime: number == 0 ? 5000 : 10)
          if number == 0 { left.append(opening) } else { ended.append(opening) }
          if number < 2 { grants.append(try await storage.grant(passkey, opening, until: Sample.time(5000))) }
        }
      }
      var total = 0
      for _ in 0..<2 { total += try await storage.sweep(SweepBounds(time: Sample.time(11)), limit: 140) }
      #expect(total == 147)
      for opening in ended { #expect(try await storage.session(token: opening.token) == nil) }
      for opening in left { #expect(try await storage.session(token: opening.token) != nil) }
      for (number, grant) in grants.enumerated() {
        #expect(try await storage.spend(GrantSpending(grant), audit: []) == number.isMultiple(of: 2))
      }
    },
    Case("a sweep deletes old personal details, and the trail stays valid") { store in
      let storage = store.storage
      let ada = try await storage.registerAccount().account.handle
      let before = try await storage.recordCount
      for time in 0..<30 {
        try await storage.append([
          Sample.draft(of: time.isMultiple(of: 3) ? nil : ada, address: "192.0.2.\(time)", at: Sample.time(time))
        ])
      }
      let bounds = SweepBounds(time: Sample.start, personalDetailsBefore: Sample.time(20))
      var total = 0
      for _ in 0..<10 { total += try await storage.sweep(bounds, limit: 6) }
      #expect(total == 20)
      let left = try await storage.auditEntries(after: 0, of: nil, limit: 99).flatMap(\.personalDetails)
      #expect(left.map(\.value) == (20..<30).map { "192.0.2.\($0)" })
      try await expectWholeTrail(storage, before + 30)
    },
  ]
}
