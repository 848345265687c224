// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// A server and two deliverers are killed under load. Every audited event that a destination wants must arrive.
@Suite(.tags(.kill, .postgres)) struct KilledDelivererTests {
  /// The number of times that the server is killed, and a deliverer.
  private static let rounds = Sanitizer.isPresent ? 3 : Tier.choose(change: 3, merge: 10, night: 100)

  @Test func `killed servers and deliverers lose no notice`() async throws {
    // A killed deliverer's notices are free after a minute. The databases wait for that together.
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for database in DatabaseKind.all { group.addTask { try await Self.check(database) } }
      try await group.waitForAll()
    }
  }

  private static func check(_ database: DatabaseKind) async throws {
    let receiver = try await WebhookReceiver()
    let file = try receiver.deliveries([
      ("all", WebhookReceiver.clientEvents), ("sessions", ["session.opened", "session.revoked"]),
    ])
    let place = try await ServerPlace(database, ["--deliver", "off", "--deliveries", file])
    let ledger = Ledger()
    // One request in forty fails, so that retries are under way, too.
    let requests = Locked(0)
    receiver.answers { (_) in
      requests.withLock { (requests) in
        requests += 1
        return requests.isMultiple(of: 40) ? 503 : 204
      }
    }
    try await killing(place, receiver, ledger)

    // Each restart of the deliverers may leave claimed notices. They arrive once the claims have ended.
    let trail = try await place.trail()
    let expected = expectations(trail)
    let counts = (all: expected.count, sessions: expected.count { $0.event.hasPrefix("session.") })
    let deliverers = [try await DelivererProcess.start(place, 0), try await DelivererProcess.start(place, 1)]
    _ = try await place.outbox(until: \.isEmpty)
    for deliverer in deliverers { #expect(try await deliverer.stop() == 0) }
    #expect(try await place.outbox().isEmpty)

    let accepted = receiver.accepted
    #expect(accepted.allSatisfy { $0.isSigned })
    let all = accepted.filter { $0.destination == "all" }
    let sessions = accepted.filter { $0.destination == "sessions" }
    #expect(Set(all.map(\.id)).count == counts.all, "\(database): notices are missing or have several IDs")
    #expect(Set(sessions.map(\.id)).count == counts.sessions, "\(database): notices are missing or have several IDs")
    // A notice has one ID at both destinations.
    #expect(Set(sessions.map(\.id)).isSubset(of: all.map(\.id)))
    checkOrder(all, expected, database)
    checkOrder(sessions, expected.filter { $0.event.hasPrefix("session.") }, database)

    try await place.verifyAudit()
    ledger.check(trail)
    // Kills without any work in progress would prove nothing.
    #expect(ledger.recorded.count > 5 * rounds && all.count > 5 * rounds)
    let again = accepted.count - Set(all.map(\.id)).count - Set(sessions.map(\.id)).count
    print("\(database): \(rounds) kills of each, \(counts.all + counts.sessions) notices, \(again) delivered again")
  }

  /// Kills the server and one of two deliverers in each round, at independent moments, while users are active.
  private static func killing(_ place: ServerPlace, _ receiver: WebhookReceiver, _ ledger: Ledger) async throws {
    var generator = PropertyRuns.generator(run: 0)
    var server = try await ServerProcess.start(place)
    var deliverers = [try await DelivererProcess.start(place, 0), try await DelivererProcess.start(place, 1)]
    for round in 0..<rounds {
      let (port, recorded, arrived) = (server.port, ledger.recorded.count, receiver.accepted.count)
      let requests = Int.random(in: 1...20, using: &generator)
      let notices = Int.random(in: 1...20, using: &generator)
      let (first, second) = (
        Int.random(in: 0..<5_000, using: &generator), Int.random(in: 0..<5_000, using: &generator)
      )
      let visitors = Task {
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for _ in 0..<6 { group.addTask { try await Client.visit(port, ledger) } }
          try await group.waitForAll()
        }
      }
      let hasEnded = Locked(false)
      let deliverer = deliverers[round % 2]
      let killing = Task {
        // Without a server there may be no more notices.
        _ = await HangGuard.waits { () async in
          receiver.accepted.count >= arrived + notices || hasEnded.withLock { $0 }
        }
        try await Task.sleep(for: .microseconds(first))
        try await deliverer.kill()
        return try await DelivererProcess.start(place, round % 2)
      }
      _ = await HangGuard.waits { () async in ledger.recorded.count >= recorded + requests }
      try await Task.sleep(for: .microseconds(second))
      try await server.kill()
      try await visitors.value
      server = try await ServerProcess.start(place)
      hasEnded.withLock { $0 = true }
      deliverers[round % 2] = try await killing.value
    }
    #expect(try await server.stop() == 0)
    for deliverer in deliverers { try await deliverer.kill() }
    #expect(ledger.refusals == [:])
  }

  /// A notice that the trail demands.
  private struct Expectation {
    let event: String
    let account: String
    let subject: (kind: String, id: String)?

    func isMet(by received: WebhookReceiver.Received) -> Bool {
      guard received.event == event, received.account == account else { return false }
      guard let subject, let id = received.values[subject.kind] else { return true }
      return id == subject.id
    }
  }

  /// Returns the notices that an audit trail demands, in its order.
  private static func expectations(_ trail: [AuditLine]) -> [Expectation] {
    trail.filter { $0.hasSucceeded && WebhookReceiver.clientEvents.contains($0.event) }.map { (line) in
      Expectation(event: line.event, account: line.account ?? "", subject: line.subject)
    }
  }

  /// Checks that the notices of each account arrived in the order of the trail, and that a notice arrived again only
  /// before the next one.
  private static func checkOrder(
    _ received: [WebhookReceiver.Received], _ expected: [Expectation], _ database: DatabaseKind
  ) {
    var wanted = Dictionary(grouping: expected, by: \.account)
    for (account, own) in Dictionary(grouping: received, by: { $0.account ?? "" }) {
      var last: WebhookReceiver.Received?
      var isInOrder = true
      for notice in own where notice.id != last?.id {
        let next = wanted[account]?.isEmpty == false ? wanted[account]?.removeFirst() : nil
        isInOrder = isInOrder && next?.isMet(by: notice) == true
        last = notice
      }
      #expect(isInOrder, "\(database): \(own.map(\.event)) is not the order of the trail")
    }
    let missing = wanted.values.joined()
    #expect(missing.isEmpty, "\(database): \(missing.count) of \(expected.count) notices are lost")
  }
}
