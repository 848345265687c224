// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeySystem
import Testing
import WebAuthnTypes

@testable import PasskeyService

extension StorageContract {
  static let outbox: [Case] = [
    Case("a notice is written with its audit record, once for each destination that wants it") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let draft = try drafted(.credentialRenamed, of: ada)
      let name = try Passkey.Name("Renamed")
      #expect(try await storage.rename(passkey.record.id, of: ada.handle, to: name, audit: [draft]))
      let items = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9)
      #expect(items.map(\.destination) == ["mail", "webhook:erp"].map(DestinationName.init))
      #expect(Set(items.map(\.notice.id)).count == 1)
      #expect(items.allSatisfy { $0.notice.event == .credentialRenamed && $0.due == Sample.start && $0.owner == nil })
      let record = try #require(await storage.auditEntries(after: 0, of: nil, limit: 9).last).record
      #expect(items.map(\.notice) == draft.routedNotices(of: record).flatMap { [$0.notice, $0.notice] })
    },
    Case("a transaction that changes nothing writes no notice") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (_, hers) = try await storage.registerAccount()
      let renamed = try await storage.rename(
        hers.record.id, of: ada.handle, to: Passkey.Name("Mine"), audit: [drafted(.credentialRenamed, of: ada)])
      #expect(!renamed)
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).isEmpty)
    },
    Case("of concurrent claims one gets each notice, and of a lane only the first") { store in
      let accounts = try (0..<12).map { (_) in try Sample.account().handle }
      try await store.storage.enqueue(accounts.flatMap { (handle) in try (0..<3).map { try routed($0, of: handle) } })
      let claimed = try await store.inParallel(8) { (storage, number) in
        try await storage.claim(claim("erp", by: UInt8(number), limit: 4))
      }
      let items = claimed.flatMap(\.self)
      #expect(items.count == 12)
      #expect(Set(items.map(\.notice.account)) == Set(accounts))
      #expect(items.allSatisfy { $0.notice.data == data(0) && $0.due == Sample.time(30) })
    },
    Case("many deliverers deliver each notice once, and those of an account in their order") { store in
      let accounts = try (0..<6).map { (_) in try Sample.account().handle }
      let total = accounts.count * 20
      let state = Locked((delivered: [UserHandle?: [[UInt8]]](), inFlight: Set<UserHandle?>(), count: 0))
      // Six writers, one for each account, beside eight deliverers.
      _ = try await store.inParallel(accounts.count + 8) { (storage, number) in
        guard number >= accounts.count else {
          for step in 0..<20 { try await storage.enqueue([routed(step, of: accounts[number])]) }
          return
        }
        while state.withLock({ (state) in state.count }) < total {
          for item in try await storage.claim(claim("erp", by: UInt8(number), limit: 3)) {
            state.withLock { (state) in
              #expect(state.inFlight.insert(item.notice.account).inserted)
              state.delivered[item.notice.account, default: []].append(item.notice.data)
            }
            await Task.yield()
            state.withLock { (state) in
              state.inFlight.remove(item.notice.account)
              state.count += 1
            }
            try await storage.settle(item, .delivered, at: Sample.start)
          }
        }
      }
      for account in accounts { #expect(state.withLock { $0.delivered[account] } == (0..<20).map(data)) }
      #expect(try await store.storage.outboxCounts().isEmpty)
    },
    Case("delivering a notice makes the next of its lane due") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue((0..<3).map { try routed($0, of: ada) })
      var order: [[UInt8]] = []
      while let item = try await storage.claim(claim("erp")).first {
        order.append(item.notice.data)
        try await storage.settle(item, .delivered, at: Sample.start)
      }
      #expect(order == [data(0), data(1), data(2)])
      #expect(try await storage.outboxCounts().isEmpty)
    },
    Case("the mail to an address of its own waits behind no other notice of its account") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      var codes = try (1...2).map { try routed($0, of: ada) }
      for place in codes.indices { codes[place].notice.event = .emailVerificationRequested }
      try await storage.enqueue([routed(0, of: ada)] + codes + [routed(3, of: ada)])
      let claimed = try await storage.claim(claim("erp"))
      #expect(claimed.map(\.notice.data) == [data(0), data(1), data(2)])
      for (item, outcome) in zip(claimed[1...], [OutboxOutcome.delivered, .dead(reason: "550")]) {
        try await storage.settle(item, outcome, at: Sample.start)
      }
      #expect(try await storage.claim(claim("erp")).isEmpty)
      try await storage.settle(claimed[0], .delivered, at: Sample.start)
      #expect(try await storage.claim(claim("erp")).map(\.notice.data) == [data(3)])
    },
    Case("many notices at once keep the order of each lane") { store in
      let storage = store.storage
      let accounts = try (0..<3).map { (_) in try Sample.account().handle }
      // One row, a few rows, and many rows are written in different ways.
      var number = 0
      for count in [1, 200, 8, 7, 64, 1] {
        try await storage.enqueue(
          (0..<count).map { (offset) in try routed(number + offset, of: accounts[(number + offset) % 3]) })
        number += count
      }
      var orders: [UserHandle?: [[UInt8]]] = [:]
      while true {
        let items = try await storage.claim(claim("erp"))
        if items.isEmpty { break }
        #expect(Set(items.map(\.notice.account)).count == items.count)
        for item in items {
          orders[item.notice.account, default: []].append(item.notice.data)
          try await storage.settle(item, .delivered, at: Sample.start)
        }
      }
      for (place, account) in accounts.enumerated() {
        #expect(orders[account] == (0..<number).filter { $0 % 3 == place }.map(data))
      }
      #expect(try await storage.outboxCounts().isEmpty)
    },
    Case("a notice is found behind many of a lane that waits") { store in
      let storage = store.storage
      let (busy, ada) = (try Sample.account().handle, try Sample.account().handle)
      try await storage.enqueue((0..<500).map { try routed($0, of: busy) } + [routed(500, of: ada)])
      let first = try await storage.claim(claim("erp", limit: 1))
      #expect(first.map(\.notice.data) == [data(0)])
      let second = try await storage.claim(claim("erp", limit: 1))
      #expect(second.map(\.notice.data) == [data(500)])
      #expect(try await storage.claim(claim("erp", limit: 1)).isEmpty)
      #expect(try await storage.outboxCounts().map(\.waiting) == [501])
    },
    Case("a user's code is claimed before any number of strangers' notices, whenever they arrive") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      // Some are due, the others have only arrived.
      try await storage.enqueue((0..<300).map { try routed($0, of: nil, rank: .stranger) })
      let first = try await storage.claim(claim("erp", limit: 1))
      #expect(first.map(\.notice.data) == [data(0)] && first.first?.notice.rank == .stranger)
      try await storage.enqueue([
        routed(300, of: ada), routed(301, of: ada), routed(302, of: ada, rank: .code),
        routed(303, of: nil, rank: .code),
      ])
      for expected in [302, 303, 300] {
        #expect(try await storage.claim(claim("erp", limit: 1)).map(\.notice.data) == [data(expected)])
      }
      // The next of the lane waits, so it is the strangers' turn.
      let rest = try await storage.claim(claim("erp", limit: 2))
      #expect(rest.map(\.notice.data) == [data(1), data(2)])
    },
    Case("strangers' notices have a limit of their own in a claim") { store in
      let storage = store.storage
      try await storage.enqueue((0..<9).map { try routed($0, of: nil, rank: .stranger) })
      #expect(try await storage.claim(claim("erp", limit: 5, strangers: 2)).map(\.notice.data) == [data(0), data(1)])
      #expect(try await storage.claim(claim("erp", limit: 5, strangers: 0)).isEmpty)
      try await storage.enqueue([routed(9, of: nil)])
      #expect(try await storage.claim(claim("erp", limit: 5, strangers: 0)).map(\.notice.data) == [data(9)])
      try await storage.enqueue([routed(10, of: nil)])
      let both = try await storage.claim(claim("erp", limit: 2, strangers: 2))
      #expect(both.map(\.notice.data) == [data(2), data(10)])
    },
    Case("a stranger's notice about an account delays no other of the account") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue([routed(0, of: ada, rank: .stranger), routed(1, of: ada)])
      #expect(try await storage.claim(claim("erp", limit: 1)).map(\.notice.data) == [data(1)])
    },
    Case("notices that no deliverer has seen yet can be listed, retried and dropped") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue([routed(0, of: nil), routed(1, of: ada)])
      #expect(try await storage.requeue(OutboxSelection(destination: erp), at: Sample.time(1)) == 2)
      let items = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9)
      #expect(try await storage.drop(OutboxSelection(notice: items[0].notice.id), at: Sample.time(1)) == 1)
      #expect(try await storage.claim(claim("erp", at: 1)).map(\.notice.data) == [data(1)])
    },
    Case("a claim that expired goes to another deliverer, and the first can no longer postpone it") { store in
      let storage = store.storage
      try await storage.enqueue([routed(0, of: Sample.account().handle)])
      let lost = try #require(await storage.claim(claim("erp", by: 1)).first)
      #expect(try await storage.claim(claim("erp", by: 2, at: 29)).isEmpty)
      let again = try #require(await storage.claim(claim("erp", by: 2, at: 30)).first)
      #expect(again.notice == lost.notice)
      try await storage.settle(lost, .retry(at: Sample.time(900), delivered: [], reason: "late"), at: Sample.start)
      try await storage.settle(lost, .dead(reason: "late"), at: Sample.start)
      let item = try #require(await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).first)
      #expect(item == again)
      try await storage.settle(lost, .delivered, at: Sample.start)
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).isEmpty)
    },
    Case("a notice that is retried keeps its place, its count and the devices that have it") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue((0..<2).map { try routed($0, of: ada) })
      let item = try #require(await storage.claim(claim("erp")).first)
      let phones: [Device.ID] = [try Sample.identifier(), try Sample.identifier()]
      try await storage.settle(
        item, .retry(at: Sample.time(60), delivered: phones, reason: "503"), at: Sample.start)
      #expect(try await storage.claim(claim("erp", at: 59)).isEmpty)
      let retried = try await storage.claim(claim("erp", at: 60))
      #expect(retried.map(\.notice) == [item.notice])
      #expect(retried.first?.failedAttempts == 1 && retried.first?.delivered == phones)
      #expect(retried.first?.reason == "503")
    },
    Case("erasing an account deletes its dead letters, and delivers what waits") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      try await storage.enqueue((0..<2).flatMap { try [routed($0, of: ada.handle), routed($0, of: ben.handle)] })
      for item in try await storage.claim(claim("erp")) {
        try await storage.settle(item, .dead(reason: "410"), at: Sample.start)
      }
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      let left = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9)
      #expect(left.map(\.notice.account) == [ben.handle, ada.handle, ben.handle])
      #expect(left.map { $0.died != nil } == [true, false, false])
    },
    Case("a dead letter lets its lane go on, and waits again when it is retried") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue((0..<2).map { try routed($0, of: ada) })
      let first = try #require(await storage.claim(claim("erp")).first)
      try await storage.settle(first, .dead(reason: "410"), at: Sample.time(5))
      let second = try #require(await storage.claim(claim("erp", at: 5)).first)
      #expect(second.notice.data == data(1))
      let counts = try await storage.outboxCounts()
      #expect(
        counts == [OutboxCount(destination: erp, waiting: 1, dead: 1, oldest: Sample.start)])
      let dead = try await storage.outboxItems(OutboxSelection(deadOnly: true), after: 0, limit: 9)
      #expect(dead.map(\.died) == [Sample.time(5)] && dead.first?.reason == "410")
      #expect(try await storage.requeue(OutboxSelection(notice: first.notice.id), at: Sample.time(6)) == 1)
      // The second is claimed, so the first waits for it.
      #expect(try await storage.claim(claim("erp", at: 6)).isEmpty)
      try await storage.settle(second, .delivered, at: Sample.time(7))
      let revived = try #require(await storage.claim(claim("erp", at: 7)).first)
      #expect(revived.notice == first.notice && revived.failedAttempts == 0)
    },
    Case("retrying makes postponed notices due and leaves claimed ones alone") { store in
      let storage = store.storage
      try await storage.enqueue((0..<2).map { try routed($0, of: Sample.account().handle) })
      let items = try await storage.claim(claim("erp"))
      #expect(items.count == 2)
      try await storage.settle(items[0], .retry(at: Sample.time(900), delivered: [], reason: "x"), at: Sample.start)
      #expect(try await storage.requeue(OutboxSelection(destination: erp), at: Sample.time(1)) == 1)
      #expect(try await storage.claim(claim("erp", at: 1)).map(\.notice) == [items[0].notice])
    },
    Case("dropping deletes the chosen notices only, and their lanes go on") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      try await storage.enqueue((0..<2).map { try routed($0, of: ada) } + [routed(7, of: ada, to: "mail")])
      let first = try #require(await storage.claim(claim("erp")).first)
      #expect(try await storage.drop(OutboxSelection(notice: first.notice.id), at: Sample.time(1)) == 1)
      #expect(try await storage.claim(claim("erp", at: 1)).map(\.notice.data) == [data(1)])
      #expect(try await storage.drop(OutboxSelection(destination: erp), at: Sample.time(1)) == 1)
      #expect(try await storage.outboxCounts().map(\.destination.rawValue) == ["mail"])
    },
    Case("notices without an account do not wait for each other") { store in
      let storage = store.storage
      try await storage.enqueue((0..<3).map { try routed($0, of: nil) })
      #expect(try await storage.claim(claim("erp")).count == 3)
    },
    Case("a list of notices goes on after a number") { store in
      let storage = store.storage
      try await storage.enqueue((0..<5).map { try routed($0, of: nil) })
      let first = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 2)
      let rest = try await storage.outboxItems(OutboxSelection(), after: #require(first.last).number, limit: 9)
      #expect((first + rest).map(\.notice.data) == (0..<5).map(data))
    },
    Case("each session that ends soon is announced once") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      for lifetime in [100, 200, 200, 300, 5000] {
        let known = try #require(await storage.passkey(passkey.record.id))
        let opening = try Sample.opening(of: ada.handle, with: passkey.record.id, lifetime: lifetime)
        let commit = SignInCommit(use: CredentialUse(known), opening: opening, audit: [])
        #expect(try await storage.signIn(commit) == .opened)
      }
      func announce(_ now: Int) async throws -> Int {
        try await storage.announceExpiring(until: Sample.time(now + 120), at: Sample.time(now), to: [erp], limit: 1)
      }
      #expect(try await announce(0) == 1)
      #expect(try await announce(0) == 0)
      #expect(try await announce(100) == 2)
      #expect(try await announce(100) == 0)
      #expect(try await announce(290) == 1)
      #expect(try await announce(400) == 0)
      let items = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9)
      #expect(items.allSatisfy { $0.notice.event == .sessionExpiring && $0.notice.account == ada.handle })
      #expect(Set(items.map(\.notice.id)).count == 4)
    },
    Case("servers that announce at once announce each session once") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      for lifetime in 1...40 {
        let known = try #require(await storage.passkey(passkey.record.id))
        let opening = try Sample.opening(of: ada.handle, with: passkey.record.id, lifetime: 10 + lifetime / 3)
        #expect(
          try await storage.signIn(SignInCommit(use: CredentialUse(known), opening: opening, audit: [])) == .opened)
      }
      let counts = try await store.inParallel(8) { (storage, _) in
        var total = 0
        while true {
          let count = try await storage.announceExpiring(
            until: Sample.time(120), at: Sample.start, to: [erp], limit: 5)
          total += count
          if count < 5 { return total }
        }
      }
      #expect(counts.reduce(0, +) == 40)
      #expect(Set(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 99).map(\.notice.id)).count == 40)
    },
    Case("a signal is given after notices were written") { store in
      let storage = store.storage
      let before = storage.outboxSignal.count
      try await storage.append([Sample.draft(.sessionRenewed)])
      #expect(storage.outboxSignal.count == before)
      try await storage.append([drafted(.credentialRenamed, of: Sample.account())])
      #expect(storage.outboxSignal.count == before + 1)
      await storage.outboxSignal.wait(after: before, atMost: .seconds(600))
    },
  ]

  private static let erp = DestinationName(rawValue: "erp")

  @Sendable private static func data(_ number: Int) -> [UInt8] { Array(#"{"number":"\#(number)"}"#.utf8) }

  @Sendable private static func routed(
    _ number: Int, of account: UserHandle?, to destination: String = "erp", rank: NoticeRank? = nil
  ) throws -> RoutedNotice {
    let event = NoticeEvent(rawValue: "order.filled")
    let notice = Notice(
      id: try Sample.identifier(), event: event, account: account, time: Sample.start, data: data(number),
      rank: rank)
    return RoutedNotice(notice, to: [DestinationName(rawValue: destination)])
  }

  @Sendable private static func claim(
    _ destination: String, by owner: UInt8 = 0, limit: Int = 100, strangers: Int? = nil, at time: Int = 0
  ) -> OutboxClaim {
    OutboxClaim(
      DestinationName(rawValue: destination), by: DelivererID(unchecked: [UInt8](repeating: owner, count: 8)),
      limit: limit, strangerLimit: strangers, at: Sample.time(time), until: Sample.time(time + 30))
  }

  @Sendable private static func drafted(_ event: AuditEvent, of account: Account) throws -> AuditDraft {
    var draft = try Sample.draft(event, of: account.handle)
    draft.notices = [
      NoticeDestination(DestinationName(rawValue: "mail"), events: ["credential.*"]),
      NoticeDestination(DestinationName(rawValue: "webhook:erp"), events: ["*"]),
      NoticeDestination(DestinationName(rawValue: "apns"), events: ["session.*"]),
    ].notices(for: draft)
    return draft
  }
}
