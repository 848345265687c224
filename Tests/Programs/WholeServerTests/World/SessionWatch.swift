// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The results of a session's requests on one server, while the session ends.
final class SessionWatch: Sendable {
  private struct Content {
    var accepted = 0
    var refused = 0
    var acceptedAfter = 0
    var others: Set<Int> = []
    var reply: ContinuousClock.Instant?
    var firstRefusal: ContinuousClock.Instant?
  }

  private let content = Locked(Content())

  /// Ends a session by `end` while all servers are asked for it in loops. Checks that no server accepts a request that
  /// begins after the reply, and prints when the last server refused first.
  static func expectEnd(
    _ subject: String, of token: String, on servers: [ServerProcess], by end: () async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let watches = servers.map { _ in SessionWatch() }
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for (server, watch) in zip(servers, watches) {
        group.addTask { try await watch.ask(server, token) }
      }
      // Each server has accepted the session before it ends.
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while watches.contains(where: { $0.accepted == 0 }), ContinuousClock.now < limit {
        try await Task.sleep(for: .milliseconds(2))
      }
      try await end()
      watches.forEach { $0.noteReply() }
      try await group.waitForAll()
    }
    for watch in watches {
      let content = watch.content.withLock { $0 }
      #expect(
        content.accepted > 0 && content.acceptedAfter == 0 && content.refused >= refusals && content.others.isEmpty,
        "\(content)",
        sourceLocation: sourceLocation)
    }
    if let slowest = watches.compactMap(\.delay).max() {
      print("\(subject): the slowest first refusal arrived \(slowest) after the reply")
    }
  }

  /// Checks that each server refuses an ended session.
  static func expectRefusal(of token: String, by servers: [ServerProcess]) async throws {
    for server in servers {
      try await Line(to: server.port).ask("GET", "/api/auth/me", fields: Client.fields(token))
        .expect(401, "session.unknown")
    }
  }

  private static let refusals = 20

  private var accepted: Int { content.withLock { $0.accepted } }

  /// The time from the reply to the first refusal, negative if the refusal was first.
  private var delay: Duration? {
    content.withLock { (content) in
      guard let reply = content.reply, let refusal = content.firstRefusal else { return nil }
      return refusal - reply
    }
  }

  private func noteReply() { content.withLock { $0.reply = .now } }

  /// Asks in a loop until the server has refused the session 20 times.
  private func ask(_ server: ServerProcess, _ token: String) async throws {
    let line = Line(to: server.port)
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    var refused = 0
    while refused < Self.refusals, ContinuousClock.now < limit {
      let beganAfter = content.withLock { $0.reply != nil }
      let status = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token)).status
      refused = content.withLock { (content) in
        switch status {
        case 200:
          content.accepted += 1
          if beganAfter { content.acceptedAfter += 1 }
        case 401, 403:
          content.refused += 1
          if content.firstRefusal == nil { content.firstRefusal = .now }
        default:
          content.others.insert(status)
        }
        return content.refused
      }
    }
  }
}
