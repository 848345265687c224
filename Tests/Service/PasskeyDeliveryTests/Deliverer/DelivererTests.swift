// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeySystem
import Testing
import WebAuthnTypes

@testable import PasskeyDelivery

@Suite struct DelivererTests {
  @Test func `several deliverers deliver each notice once, in order for each account`() async throws {
    let sender = RecordingSender { _ in
      await Task.yield()
      return .delivered
    }
    let world = try DelivererWorld(sender)
    let accounts = try (0..<12).map { _ in try Sample.account().handle }
    for number in 0..<10 {
      for account in accounts { try await world.enqueue([number], of: account) }
    }
    try await world.delivering(3) {
      #expect(await world.results(120).count == 120)
    }
    #expect(try await world.items().isEmpty)
    #expect(Set(sender.notices.map(\.notice.id)).count == 120)
    for account in accounts {
      let own = sender.notices.map(\.notice).filter { $0.account == account }
      #expect(
        own.map(\.data).map { String(decoding: $0, as: UTF8.self) }
          == (0..<10).map { "{\"account\":\"\(account)\",\"number\":\"\($0)\"}" })
    }
  }

  @Test func `a notice that is written while a deliverer runs is delivered at once`() async throws {
    let world = try DelivererWorld(RecordingSender { _ in .delivered })
    try await world.delivering(1, { $0.pollInterval = .seconds(600) }) {
      try await world.enqueue([1], of: nil)
      #expect(await world.results(1) == [.delivered])
    }
  }

  @Test func `a slow notice does not hold up other accounts, nor a full destination others`() async throws {
    let gate = OutboxSignal()
    let slow = try Sample.account().handle
    let sender = RecordingSender { (notice) in
      if notice.notice.account == slow { await gate.wait(after: 0, atMost: .seconds(600)) }
      return .delivered
    }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1, 2], of: slow)
    try await world.delivering(1, { $0.concurrency = 2 }) {
      _ = await sender.wait(for: 1)
      let others = try (0..<5).map { _ in try Sample.account().handle }
      for other in others { try await world.enqueue([1], of: other) }
      #expect(await world.results(5) == Array(repeating: .delivered, count: 5))
      #expect(sender.notices.filter { $0.notice.account == slow }.count == 1)
      gate.give()
      #expect(await world.results(7).count == 7)
    }
  }

  @Test func `slow mails of strangers do not hold up the code of a user`() async throws {
    let gate = OutboxSignal()
    let sender = RecordingSender { (notice) in
      if notice.notice.rank == .stranger { await gate.wait(after: 0, atMost: .seconds(600)) }
      return .delivered
    }
    let world = try DelivererWorld(sender)
    let strangers = (0..<20).map { (number) in
      Notice(.emailVerificationRequested, cause: "stranger \(number)", of: nil, at: world.now, details: [:])
    }
    try await world.service.enqueue(strangers)
    try await world.delivering(1, { $0.concurrency = 4 }) {
      _ = await sender.wait(for: 3)
      let ada = try Sample.account().handle
      let code = Notice(.recoveryRequested, cause: "ada", of: ada, at: world.now, details: [:])
      try await world.service.enqueue([code])
      #expect(await world.results(1) == [.delivered])
      #expect(sender.notices.map(\.notice.rank) == [.stranger, .stranger, .stranger, .code])
      gate.give()
      #expect(await world.results(21).count == 21)
    }
  }

  @Test func `a failed notice is tried again after the pause that the destination asked for`() async throws {
    let sender = RecordingSender { (notice) in
      notice.failedAttempts < 2 ? .retry(after: .seconds(300), reason: "HTTP 503") : .delivered
    }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1], of: nil)
    try await world.delivering {
      #expect(await world.results(1) == [.retried(reason: "HTTP 503")])
      let item = try #require(await world.items().first)
      #expect(item.due == world.now + .seconds(300) && item.failedAttempts == 1 && item.reason == "HTTP 503")
      world.advance(300)
      _ = await world.results(2)
      world.advance(300)
      #expect(await world.results(3).last == .delivered)
    }
    #expect(sender.notices.map(\.failedAttempts) == [0, 1, 2])
    #expect(Set(sender.notices.map(\.notice.id)).count == 1)
  }

  @Test func `after the last attempt a notice is a dead letter, and the account's next notice goes on`() async throws {
    let ada = try Sample.account().handle
    let sender = RecordingSender { (notice) in
      String(decoding: notice.notice.data, as: UTF8.self).hasSuffix(#""number":"1"}"#)
        ? .retry(after: nil, reason: "refused") : .delivered
    }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1, 2], of: ada)
    try await world.delivering(1, { $0.backoff.maximumAttempts = 2 }) {
      #expect(await world.results(1) == [.retried(reason: "refused")])
      world.advance(60)
      let results = await world.results(3)
      #expect(Array(results.dropFirst()) == [.dead(reason: "refused"), .delivered])
    }
    let items = try await world.items()
    #expect(items.map(\.failedAttempts) == [2] && items.first?.died != nil)
  }

  @Test func `a rejected notice is a dead letter at once`() async throws {
    let world = try DelivererWorld(RecordingSender { _ in .rejected(reason: "HTTP 400") })
    try await world.enqueue([1], of: nil)
    try await world.delivering { #expect(await world.results(1) == [.dead(reason: "HTTP 400")]) }
    #expect(try await world.items().first?.reason == "HTTP 400")
  }

  @Test func `a retry goes only to the devices that do not have the notice yet`() async throws {
    let sender = RecordingSender(.devices(.apns)) { (notice) in
      notice.recipient.device?.token == "busy" && notice.failedAttempts == 0
        ? .retry(after: nil, reason: "429") : .delivered
    }
    let world = try DelivererWorld(sender)
    let (ada, _) = try await world.memory.registerAccount()
    for (token, push) in [("first", Device.PushService.apns), ("busy", .apns), ("last", .apns), ("other", .fcm)] {
      try await register(token, push, ada, world)
    }
    try await world.enqueue([1], of: ada.handle)
    try await world.delivering {
      _ = await world.results(1)
      world.advance(60)
      #expect(await world.results(2).last == .delivered)
    }
    #expect(sender.notices.compactMap(\.recipient.device?.token) == ["first", "busy", "last", "busy"])
  }

  @Test func `a device that is gone is revoked`() async throws {
    let sender = RecordingSender(.devices(.apns)) { _ in .gone }
    let world = try DelivererWorld(sender)
    let (ada, _) = try await world.memory.registerAccount()
    try await register("old", .apns, ada, world)
    try await world.enqueue([1], of: ada.handle)
    // The revocation is a notice too, whose attempt can be reported first.
    try await world.delivering { #expect(await world.results(2).contains(.delivered)) }
    #expect(try await world.memory.devices(of: ada.handle).allSatisfy { $0.revoked != nil })
    #expect(try await world.service.auditEntries(limit: 9).last?.record.event == .deviceRevoked)
  }

  @Test func `a notice of an erased account leaves the outbox without being sent`() async throws {
    let sender = RecordingSender(.mail) { _ in .delivered }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1], of: Sample.account().handle)
    try await world.delivering { #expect(await world.results(1) == [.noRecipient]) }
    #expect(sender.notices.isEmpty)
    #expect(try await world.items().isEmpty)
  }

  @Test func `a mail goes to the address of the account`() async throws {
    let sender = RecordingSender(.mail) { _ in .delivered }
    let world = try DelivererWorld(sender)
    let (ada, _) = try await world.memory.registerAccount()
    try await world.enqueue([1], of: ada.handle)
    try await world.delivering { #expect(await world.results(1) == [.delivered]) }
    guard case .mail(let email, let account, nil)? = sender.notices.first?.recipient else {
      Issue.record("not a mail")
      return
    }
    #expect(email == ada.email && account == ada)
  }

  @Test func `a mail that its recipient has switched off leaves the outbox, and a warning is sent`() async throws {
    let sender = RecordingSender(.mail) { _ in .delivered }
    let world = try DelivererWorld(sender)
    let (ada, _) = try await world.memory.registerAccount()
    _ = try await world.memory.setPreferences(
      NotificationPreferences(["order.*": false, "security.*": false]), of: ada.handle, audit: [])
    try await world.enqueue([1], of: ada.handle)
    try await world.service.enqueue([
      Notice(.securityAlert, cause: "x", of: ada.handle, at: world.now, details: [:])
    ])
    // Two deliveries at once end in any order.
    try await world.delivering {
      let results = await world.results(2)
      #expect(results.contains(.noRecipient) && results.contains(.delivered), "\(results)")
    }
    #expect(sender.notices.map(\.notice.event) == [.securityAlert])
  }

  @Test func `the code of a mail is written while it is sent, and a used one is not sent`() async throws {
    let sender = RecordingSender(.mail) { _ in .delivered }
    let world = try DelivererWorld(sender)
    let (ada, _) = try await world.memory.registerAccount()
    let change = { (purpose: EmailCeremony.Purpose, email: String) in
      let id: EmailCeremonyID = try Sample.identifier()
      var draft = try Sample.draft(.emailVerificationRequested, of: ada.handle, at: world.now)
      draft.subject = AuditSubject.emailCeremony(id).text
      draft.notices = [NoticeDestination(DelivererWorld.destination, events: ["*"])].notices(for: draft)
      let ceremony = EmailCeremony(
        id: id, purpose: purpose, token: try Sample.identifier(), account: ada.handle, email: try EmailAddress(email),
        created: world.now, expiry: world.now + .seconds(900))
      return EmailCeremonyStart(ceremony, limit: nil, mail: [draft])
    }
    let (first, second) = (try change(.addressChange, "a@new.example"), try change(.addressChange, "b@new.example"))
    // The second change replaces the first, whose mail was not sent yet.
    for start in [first, second] { _ = try await world.memory.begin(start, spending: nil) }
    // Two deliveries at once end in any order.
    try await world.delivering {
      let results = await world.results(2)
      #expect(results.contains(.noRecipient) && results.contains(.delivered), "\(results)")
    }
    guard case .mail(let email, let account, let code?)? = sender.notices.first?.recipient else {
      Issue.record("not a mail with a code")
      return
    }
    #expect(email == second.ceremony.email && account == ada)
    #expect(EmailCode(code.exposedText) != nil && code.expiry == second.ceremony.expiry)
  }

  @Test func `a notice whose deliverer died is sent by another after the claim, with the same id`() async throws {
    let sender = RecordingSender { _ in .delivered }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1], of: nil)
    let claim = OutboxClaim(
      DelivererWorld.destination, by: DelivererID(unchecked: [UInt8](repeating: 1, count: 8)), limit: 1, at: world.now,
      until: world.now + .seconds(60))
    let lost = try await world.service.claim(claim)
    try await world.delivering {
      world.advance(59)
      try await world.enqueue([2], of: nil)
      #expect(await world.results(1).count == 1)
      #expect(sender.notices.allSatisfy { $0.notice.id != lost.first?.notice.id })
      world.advance(1)
      _ = await world.results(2)
    }
    #expect(sender.notices.last?.notice == lost.first?.notice)
  }

  @Test func `a deliverer that is stopped lets a running attempt end`() async throws {
    let gate = OutboxSignal()
    let sender = RecordingSender { (_) in
      await gate.wait(after: 0, atMost: .seconds(600))
      return Task.isCancelled ? .retry(after: nil, reason: "cancelled") : .delivered
    }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1], of: nil)
    try await world.delivering(
      1, { $0.stoppingGrace = .seconds(600) }, { _ = await sender.wait(for: 1) }, cancelled: { gate.give() })
    #expect(world.reports.withLock { $0 } == [.delivered])
    #expect(try await world.items().isEmpty)
  }

  @Test func `a deliverer that is stopped cancels a running attempt after the grace period`() async throws {
    let sender = RecordingSender { (_) in
      try? await Task.sleep(for: .seconds(600))
      return .retry(after: nil, reason: "cancelled")
    }
    let world = try DelivererWorld(sender)
    try await world.enqueue([1], of: nil)
    try await world.delivering(1, { $0.stoppingGrace = .milliseconds(1) }) { _ = await sender.wait(for: 1) }
    #expect(world.reports.withLock { $0 } == [.retried(reason: "cancelled")])
    #expect(try await world.items().map(\.failedAttempts) == [1])
  }

  @Test func `a deliverer goes on after the store was unavailable`() async throws {
    let world = try DelivererWorld(RecordingSender { _ in .delivered })
    world.faults.fail(with: StorageError(.unavailable, "test"), in: "rank, due FROM outbox")
    try await world.enqueue([1], of: nil)
    try await world.delivering {
      await world.sender.wait { world.faults.takeTransactions().contains("read outbox") }
      world.faults.fail(with: nil)
      #expect(await world.results(1) == [.delivered])
    }
  }

  @Test(arguments: [(1, 5), (2, 10), (3, 20), (10, 2560), (11, 3600), (16, 3600), (1_000_000, 3600)])
  func `pauses double up to the longest, and half of each is random`(failures: Int, seconds: Int) {
    let backoff = Backoff()
    #expect(backoff.pause(afterFailures: failures, requested: nil, fraction: 1) == .seconds(seconds))
    #expect(backoff.pause(afterFailures: failures, requested: nil, fraction: 0) == .seconds(seconds) / 2)
  }

  @Test func `a requested pause counts if it is longer, up to the longest`() {
    let backoff = Backoff()
    #expect(backoff.pause(afterFailures: 1, requested: .seconds(90), fraction: 1) == .seconds(90))
    #expect(backoff.pause(afterFailures: 1, requested: .seconds(1), fraction: 1) == .seconds(5))
    #expect(backoff.pause(afterFailures: 1, requested: .seconds(86_400), fraction: 1) == .seconds(3600))
  }

  private func register(
    _ token: String, _ push: Device.PushService, _ owner: Account, _ world: DelivererWorld
  ) async throws {
    let device = Device(
      id: try Sample.identifier(), user: owner.handle, service: push, token: token, created: Sample.start)
    #expect(try await world.memory.register(device, maximumCount: 9, audit: []).value == device)
  }
}
