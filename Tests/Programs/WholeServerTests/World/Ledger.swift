// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyServiceTestSupport
import PasskeySystem
import Testing

/// The results that the server acknowledged to clients. A restarted server is checked against them.
final class Ledger: Sendable {
  /// A request that may succeed only once, because it completes a ceremony or presents a grant.
  struct OneTime: Hashable, Sendable {
    let name: String
    let method: String
    let target: String
    let body: String
    let fields: [String: String]
    var wasAcknowledged: Bool
  }

  private struct Content: Sendable {
    var openTokens: Set<String> = []
    var endedTokens: Set<String> = []
    var oneTime: [String: OneTime] = [:]
    var recorded: Set<String> = []
    var refusals: [String: Int] = [:]
  }

  private let content = Locked(Content())

  var openTokens: Set<String> { content.withLock { $0.openTokens } }
  var endedTokens: Set<String> { content.withLock { $0.endedTokens } }
  var oneTimeRequests: [OneTime] { content.withLock { Array($0.oneTime.values) } }

  /// The names of all acknowledged requests that changed data.
  var recorded: Set<String> { content.withLock { $0.recorded } }

  /// The refusals, with the number of times each occurred.
  var refusals: [String: Int] { content.withLock { $0.refusals } }

  func begin(_ request: OneTime) { content.withLock { $0.oneTime[request.name] = request } }

  func acknowledge(_ name: String) {
    content.withLock { (content) in
      content.oneTime[name]?.wasAcknowledged = true
      content.recorded.insert(name)
    }
  }

  func opened(_ token: String) { content.withLock { _ = $0.openTokens.insert(token) } }

  /// Marks a session as ending: from now on its state is unknown.
  func isEnding(_ token: String) { content.withLock { _ = $0.openTokens.remove(token) } }

  func ended(_ token: String) { content.withLock { _ = $0.endedTokens.insert(token) } }

  func refused(_ answer: Answer) {
    let clear = answer.header("content-type") == "application/problem+json"
    content.withLock {
      $0.refusals["\(answer.status) \(clear ? answer.code ?? "no code" : "no problem")", default: 0] += 1
    }
  }

  /// Clears the one-time requests that have been checked.
  func forgetOneTimeRequests() { content.withLock { $0.oneTime = [:] } }
}

extension Ledger {
  /// Checks that acknowledged sessions are open and ended sessions are not.
  func checkSessions(at port: UInt16) async throws {
    try await Self.each(of: Array(openTokens), at: port) { (token, line) in
      let answer = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token))
      #expect(answer.status == 200, "a session is lost: \(answer.body)")
    }
    try await Self.each(of: Array(endedTokens), at: port) { (token, line) in
      let answer = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token))
      #expect(answer.status == 401, "a session that was revoked is back: \(answer.body)")
    }
  }

  /// Replays the one-time requests since the last check and verifies that none succeeds twice.
  func checkOneTimeRequests(at port: UInt16, round: Int) async throws {
    try await Self.each(of: oneTimeRequests, at: port) { (request, line) in
      try await self.replay(request, on: line, round)
    }
    forgetOneTimeRequests()
  }

  private static func each<Element: Sendable>(
    of elements: [Element], at port: UInt16, _ body: @escaping @Sendable (Element, Line) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for part in 0..<4 {
        group.addTask {
          let line = Line(to: port)
          for index in stride(from: part, to: elements.count, by: 4) { try await body(elements[index], line) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Replays a request. An acknowledged one must fail. Another one may have been carried out, and may succeed at most
  /// once.
  private func replay(_ request: OneTime, on line: Line, _ round: Int) async throws {
    var successes = request.wasAcknowledged ? 1 : 0
    for attempt in 0..<2 {
      let name = "\(request.name).\(round)-\(attempt)"
      let answer = try await line.ask(
        request.method, request.target, request.body, name: name,
        fields: request.fields.map { ($0.key, $0.value) })
      if answer.status < 300 {
        successes += 1
        acknowledge(name)
      } else {
        #expect([401, 403, 410].contains(answer.status), "\(request.target): \(answer.status) \(answer.body)")
      }
    }
    #expect(successes <= 1, "\(request.target) succeeded \(successes) times")
  }

  /// Checks the audit trail: it contains each acknowledged request, and no one-time request twice.
  func check(_ trail: [AuditLine]) {
    let successes = trail.filter(\.hasSucceeded)
    let lost = recorded.subtracting(successes.map(\.request))
    #expect(lost.isEmpty, "\(lost.count) of \(recorded.count) acknowledged requests are not in the trail")
    var seen: [String: Set<String>] = [:]
    for line in successes {
      let name = line.request.prefix { $0 != "." }
      seen["\(name) \(line.event)", default: []].insert(line.request)
    }
    let twice = seen.filter { $0.value.count > 1 }
    #expect(twice.isEmpty, "\(twice)")
  }
}
