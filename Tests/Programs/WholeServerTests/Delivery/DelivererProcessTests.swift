// SPDX-License-Identifier: Apache-2.0

import FaultProxy
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// `passkey-server deliver` as a process of its own, beside a server with `--deliver off`, and the commands of the outbox.
@Suite(.tags(.postgres)) struct DelivererProcessTests {
  /// The notices of a sign-up, in their order.
  private static let signUp = ["account.created", "credential.registered", "session.opened"]

  private let receiver: WebhookReceiver

  init() async throws {
    receiver = try await WebhookReceiver()
  }

  /// Starts a server that leaves the deliveries to other processes.
  private func serve(
    _ database: DatabaseKind = .sqlite(),
    _ webhooks: [(name: String, events: [String])] = [("erp", WebhookReceiver.clientEvents)],
    through port: UInt16? = nil
  ) async throws -> (ServerPlace, ServerProcess) {
    let file = try receiver.deliveries(webhooks, through: port)
    let place = try await ServerPlace(database, ["--deliver", "off", "--deliveries", file])
    return (place, try await ServerProcess.start(place))
  }

  /// Returns the events of the accepted notices for each account, and expects each notice once and signed.
  private func events(sourceLocation: SourceLocation = #_sourceLocation) -> [String: [String]] {
    let accepted = receiver.accepted
    #expect(accepted.allSatisfy { $0.isSigned }, sourceLocation: sourceLocation)
    #expect(Set(accepted.map(\.id)).count == accepted.count, "a notice arrived twice", sourceLocation: sourceLocation)
    return Dictionary(grouping: accepted) { $0.account ?? "" }.mapValues { $0.map(\.event) }
  }

  @Test(arguments: DatabaseKind.all)
  func `a deliverer delivers what a server that does not deliver has written`(_ database: DatabaseKind) async throws {
    let (place, server) = try await serve(
      database, [("erp", WebhookReceiver.clientEvents), ("sessions", ["session.opened", "session.revoked"])])
    for _ in 0..<5 { try await Client(at: server.port, Ledger()).signUp() }
    #expect(try await place.outbox().count == 20)
    #expect(receiver.accepted.isEmpty)
    let deliverer = try await DelivererProcess.start(place)
    #expect(await receiver.waits { $0.count == 20 })
    // A notice of another process is found without a signal.
    let late = try Client(at: server.port, Ledger())
    try await late.signOut(late.signUp())
    #expect(await receiver.waits { $0.count == 26 })
    #expect(try await deliverer.stop() == 0)
    #expect(try await server.stop() == 0)
    #expect(try await place.outbox().isEmpty)

    let accepted = receiver.accepted
    #expect(accepted.allSatisfy { $0.isSigned })
    let (all, sessions) = (
      accepted.filter { $0.destination == "erp" }, accepted.filter { $0.destination == "sessions" }
    )
    #expect(Set(all.map(\.id)).count == 19 && all.count == 19)
    #expect(Set(sessions.map(\.id)) == Set(all.filter { $0.event.hasPrefix("session.") }.map(\.id)))
    #expect(sessions.count == 7)
    for (_, own) in Dictionary(grouping: all, by: \.account) {
      #expect(own.map(\.event).starts(with: Self.signUp), "\(own)")
    }
  }

  @Test func `a server that does not deliver needs no keys, and measures the outbox`() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/deliveries.json"
    let webhook = #"{"name": "erp", "url": "https://raxx.app/erp", "secretFiles": ["\#(folder.path)/missing.secret"]}"#
    try File.write(Array(#"{"webhooks": [\#(webhook)]}"#.utf8), to: file)
    let options = ["--deliver", "off", "--deliveries", file, "--metrics", "public"]
    let place = try await ServerPlace(.sqlite(), options)
    let server = try await ServerProcess.start(place)
    try await Client(at: server.port, Ledger()).signUp()
    #expect(try await server.stop() == 0)
    let waiting = try await place.outbox().count
    #expect(waiting >= 3)

    // The next server measures at its start.
    let next = try await ServerProcess.start(place)
    let expected = #"passkey_outbox_notices{destination="webhook:erp",state="waiting"} \#(waiting)"#
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while try await !Line(to: next.port).ask("GET", "/metrics").expect(200).body.contains(expected) {
      try #require(ContinuousClock.now < limit, "the metrics lack \(expected)")
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try await next.stop() == 0)
  }

  @Test(arguments: DatabaseKind.all)
  func `two deliverers send each notice once, in order for each account`(_ database: DatabaseKind) async throws {
    let (place, server) = try await serve(database)
    let first = try await DelivererProcess.start(place, 1)
    let second = try await DelivererProcess.start(place, 2)
    let port = server.port
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<4 {
            let client = try Client(at: port, Ledger())
            try await client.signOut(client.signUp())
            for _ in 0..<3 { try await client.signIn() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await receiver.waits { $0.count == 24 * 7 })
    #expect(try await first.stop() == 0)
    #expect(try await second.stop() == 0)
    let events = events()
    #expect(events.count == 24)
    let expected = Self.signUp + ["session.revoked", "session.opened", "session.opened", "session.opened"]
    #expect(events.values.allSatisfy { $0 == expected }, "\(events)")
    #expect(try await place.outbox().isEmpty)
  }

  @Test func `a dead letter is listed, shown, delivered again and dropped`() async throws {
    let (place, server) = try await serve()
    // The receiver wants no accounts.
    receiver.answers { (notice) in notice.event == "account.created" ? 410 : 204 }
    let deliverer = try await DelivererProcess.start(place)
    for _ in 0..<2 { try await Client(at: server.port, Ledger()).signUp() }
    // The later notices of both accounts go on.
    #expect(await receiver.waits { $0.count == 4 })
    let dead = try await place.outbox(until: { $0.count == 2 && $0.allSatisfy { $0.state == "dead" } })
    #expect(dead.map(\.event) == ["account.created", "account.created"])
    #expect(dead.allSatisfy { $0.reason?.contains("410") == true && $0.failures == 1 }, "\(dead)")
    #expect(try await place.outbox("--dead", "--destination", "webhook:erp") == dead)
    #expect(try await place.outbox("--destination", "webhook:other").isEmpty)

    let shown = try await place.run("outbox", "show", dead[0].id)
    let line = try #require(shown.split(separator: "\n").first.map(String.init))
    try #require(line.hasPrefix("{"), "\(shown)")
    #expect(try OutboxLine(line) == dead[0])
    #expect(shown.contains(#""data":{"account":"\#(dead[0].account ?? "")""#), "\(shown)")
    #expect(try await place.run("outbox", "show", "AAAAAAAAAAAAAAAAAAAAAA").hasSuffix("[5]\n"))

    receiver.answers { (_) in 204 }
    #expect(try await place.run("outbox", "retry", dead[0].id) == "passkey-server: 1 to deliver again\n")
    #expect(await receiver.waits { $0.count == 5 })
    #expect(receiver.accepted.last?.id == dead[0].id)
    #expect(try await place.run("outbox", "drop", dead[1].id) == "passkey-server: 1 deleted\n")
    #expect(try await place.run("outbox", "drop", dead[1].id).hasSuffix("[5]\n"))
    #expect(try await place.outbox(until: \.isEmpty).isEmpty)
    #expect(try await deliverer.stop() == 0)
    #expect(events().values.allSatisfy { Set($0).isSubset(of: Self.signUp) })
    #expect(!receiver.accepted.map(\.id).contains(dead[1].id))
  }

  @Test func `SIGTERM in the middle of a delivery lets it end`() async throws {
    let (place, server) = try await serve(.sqlite(), [("erp", ["session.opened"])])
    let (arrived, released) = (OutboxSignal(), OutboxSignal())
    receiver.answers { (_) in
      arrived.give()
      await released.wait(after: 0, atMost: .seconds(HangGuard.seconds))
      return 204
    }
    let deliverer = try await DelivererProcess.start(place)
    try await Client(at: server.port, Ledger()).signUp()
    await arrived.wait(after: 0, atMost: .seconds(HangGuard.seconds))
    try await deliverer.beginStopping()
    // It claims nothing more.
    try await Client(at: server.port, Ledger()).signUp()
    released.give()
    #expect(try await deliverer.exitCode() == 0)
    #expect(await receiver.waits { !$0.isEmpty })
    let left = try await place.outbox()
    // On a slow machine the delivery can end by its time limit. Its result is written in any case.
    #expect(left.allSatisfy { $0.state == "waiting" && $0.reason != "cancelled" }, "\(left)")
    #expect(left.count { $0.failures == 0 } == 1 && left.count <= 2, "\(left)")
    let other = try await DelivererProcess.start(place)
    _ = try await place.run("outbox", "retry", "--destination", "webhook:erp")
    #expect(try await place.outbox(until: \.isEmpty).isEmpty)
    #expect(Set(receiver.accepted.map(\.id)).count == 2)
    #expect(receiver.accepted.count == 2 + left.count - 1)
    #expect(try await other.stop() == 0)
  }

  @Test func `a receiver that does not answer delays neither other accounts nor the end of the deliverer`() async throws
  {
    let (place, server) = try await serve(
      .sqlite(), [("erp", WebhookReceiver.clientEvents), ("sessions", ["session.opened"])])
    let released = OutboxSignal()
    // The account whose notices wait, and the number of requests that do.
    let slow = Locked<(account: String?, count: Int)>((nil, 0))
    receiver.answers { (notice) in
      let isSlow = slow.withLock { (slow) in
        guard notice.destination == "erp", slow.account == nil || slow.account == notice.account else { return false }
        slow = (notice.account, slow.count + 1)
        return true
      }
      if isSlow { await released.wait(after: 0, atMost: .seconds(HangGuard.seconds)) }
      return 204
    }
    let deliverer = try await DelivererProcess.start(place)
    try await Client(at: server.port, Ledger()).signUp()
    // The other destination does not wait.
    #expect(await receiver.waits { $0.map(\.destination) == ["sessions"] })
    for _ in 0..<3 { try await Client(at: server.port, Ledger()).signUp() }
    #expect(await receiver.waits { $0.count == 3 * 4 + 1 })
    // The time limit of the request ends the attempt, and its failure is written.
    #expect(try await deliverer.stop() == 0)
    let left = try await place.outbox()
    #expect(left.map(\.event) == Self.signUp && left.map(\.state) == ["waiting", "queued", "queued"], "\(left)")
    #expect(left.first?.failures ?? 0 >= 1 && left.first?.reason?.contains("time-out") == true, "\(left)")
    // The receiver accepts the notice although its client no longer waits.
    released.give()
    let (account, count) = slow.withLock { $0 }
    func own(_ accepted: [WebhookReceiver.Received]) -> [WebhookReceiver.Received] {
      accepted.filter { (notice) in notice.destination == "erp" && notice.account == account }
    }
    #expect(await receiver.waits { own($0).count == count })
    let other = try await DelivererProcess.start(place)
    _ = try await place.run("outbox", "retry", left[0].id)
    #expect(try await place.outbox(until: \.isEmpty).isEmpty)
    #expect(try await other.stop() == 0)
    let all = own(receiver.accepted)
    #expect(
      all.count == count + 3 && Set(all.map(\.id)).count == 3 && all.suffix(3).map(\.event) == Self.signUp, "\(all)")
  }

  @Test func `a notice whose connection was reset arrives again with the same ID`() async throws {
    let proxy = try ProxyServer(to: .loopback(receiver.port), .bytes)
    try proxy.open()
    defer { proxy.close() }
    let (place, server) = try await serve(through: proxy.port)
    let resets = Locked(0)
    receiver.answers { (_) in
      // The receiver has taken the notice, but its first two answers are lost.
      let isReset = resets.withLock { (resets) in
        resets += 1
        return resets <= 2
      }
      if isReset { proxy.resetAll() }
      return 204
    }
    let deliverer = try await DelivererProcess.start(place)
    try await Client(at: server.port, Ledger()).signUp()
    let failed = try await place.outbox(until: { $0.first?.failures ?? 0 >= 1 })
    #expect(failed.map(\.event) == Self.signUp && failed.first?.reason?.contains("connection was") == true, "\(failed)")
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while try await !place.outbox().isEmpty, ContinuousClock.now < limit {
      _ = try await place.run("outbox", "retry", "--destination", "webhook:erp")
    }
    #expect(try await place.outbox(until: \.isEmpty).isEmpty)
    #expect(try await deliverer.stop() == 0)
    let accepted = receiver.accepted
    #expect(accepted.map(\.event) == ["account.created", "account.created"] + Self.signUp, "\(accepted)")
    #expect(Set(accepted.prefix(3).map(\.id)).count == 1 && Set(accepted.map(\.id)).count == 3)
  }

  @Test func `a dead receiver gets its notices once it is back`() async throws {
    let proxy = try ProxyServer(to: .loopback(receiver.port), .bytes)
    defer { proxy.close() }
    let (place, server) = try await serve(through: proxy.port)
    let deliverer = try await DelivererProcess.start(place)
    try await Client(at: server.port, Ledger()).signUp()
    let failed = try await place.outbox(until: { $0.first?.failures ?? 0 >= 1 && $0.first?.state == "waiting" })
    #expect(failed.map(\.state) == ["waiting", "queued", "queued"], "\(failed)")
    #expect(failed.first?.reason?.contains("cannot be reached") == true, "\(failed)")
    try proxy.open()
    _ = try await place.run("outbox", "retry", failed[0].id)
    #expect(await receiver.waits { $0.count == 3 })
    #expect(try await place.outbox(until: \.isEmpty).isEmpty)
    #expect(try await deliverer.stop() == 0)
    #expect(events().values.map(\.self) == [Self.signUp])
  }
}
