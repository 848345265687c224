// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeySystem
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Audits that end before their last check: the server is gone, or the user pressed Ctrl-C.
struct EarlyEndTests {
  /// A stand-in whose connections fail at some requests, counted from 1.
  private final class Line: Sendable {
    let count = Locked(0)
    private let server = StandInServer(.correct)
    private let error: @Sendable (Int) -> ClientError?

    init(_ error: @escaping @Sendable (Int) -> ClientError?) { self.error = error }

    var transport: AuditTransport {
      AuditTransport { [self] (request) async throws(ClientError) in
        let number = count.withLock { (count) in
          count += 1
          return count
        }
        if let error = error(number) { throw error }
        return try await server.transport.send(request)
      }
    }
  }

  private static let refusal = ClientError(.unreachable, "http://localhost:4711 refuses the connection")

  /// Cancels the current task, as Ctrl-C does. Returns the error of a request in it.
  private static func cancel() -> ClientError {
    _ = unsafe withUnsafeCurrentTask { (task) in unsafe task?.cancel() }
    return ClientError(.cancelled, "POST /verify was cancelled")
  }

  private static func audit(_ line: Line) throws -> Audit {
    var options = try AuditTests.options(StandInServer.origin, [.registration, .authentication])
    options.erasesAccounts = false
    return try Audit(options, transport: line.transport)
  }

  @Test func `an audit ends at the first refused connection`() async throws {
    let line = Line { (_) in Self.refusal }
    let report = try await Self.audit(line).run()
    #expect(report.loss == Self.refusal)
    #expect(line.count.withLock { $0 } == 1)
    #expect(!report.findings.isEmpty && !report.findings.contains { $0.isJudged })
  }

  @Test func `the finished checks keep their verdicts if the server is lost`() async throws {
    let whole = try await Self.audit(Line { (_) in nil }).run()
    let line = Line { $0 > 100 ? Self.refusal : nil }
    let report = try await Self.audit(line).run()
    #expect(report.loss == Self.refusal)
    // The check in progress, and two controls.
    #expect(line.count.withLock { $0 } <= 104)
    let reason = "the server does not answer any more: http://localhost:4711 refuses the connection"
    let first = try #require(report.findings.firstIndex { $0.verdict == .cannotTell(reason) })
    #expect(first > 10 && report.findings[..<first].map(\.verdict) == whole.findings[..<first].map(\.verdict))
    #expect(report.findings[first...].allSatisfy { $0.verdict == .cannotTell(reason) })
    #expect(report.unjudgedGroups.last?.reason == reason)
  }

  @Test func `one lost connection does not end an audit`() async throws {
    let whole = try await Self.audit(Line { (_) in nil }).run()
    let report = try await Self.audit(Line { $0 == 100 ? Self.refusal : nil }).run()
    #expect(report.loss == nil && report.unjudgedGroups == whole.unjudgedGroups)
    #expect(report.findings.count == whole.findings.count)
    #expect(zip(whole.findings, report.findings).count { $0.verdict != $1.verdict } == 1)
  }

  @Test func `the verdicts stay if Ctrl-C cancels the control after the checks`() async throws {
    let counted = Line { (_) in nil }
    let whole = try await Self.audit(counted).run()
    let last = counted.count.withLock { $0 }
    let audit = try Self.audit(
      Line { (number) in
        guard number == last else { return nil }
        return Self.cancel()
      })
    let report = await Task { await audit.run() }.value
    #expect(report.findings.map(\.verdict) == whole.findings.map(\.verdict))
    #expect(report.unjudgedGroups.map(\.reason) == ["after the checks: the audit was cancelled"])
  }

  @Test func `a check that Ctrl-C cancels tells nothing`() async throws {
    let audit = try Self.audit(
      Line { (number) in
        guard number == 100 else { return nil }
        return Self.cancel()
      })
    let report = await Task { await audit.run() }.value
    let reason = Verdict.cannotTell("the audit was cancelled")
    let first = try #require(report.findings.firstIndex { $0.verdict == reason })
    #expect(report.findings[first...].allSatisfy { $0.verdict == reason })
    #expect(report.findings[..<first].contains { $0.verdict == .pass })
  }

  @Test func `the caller hears at once that the server limits requests`() async throws {
    let pauses = Locked<[Duration]>([])
    var options = try AuditTests.options(StandInServer.origin)
    options.limited = { (paused) in pauses.update { $0.append(paused) } }
    let reply = ServerReply(status: 429, headers: [HeaderField("retry-after", "60")])
    let world = try AuditWorld(options, transport: AuditTransport { (_) in reply })
    let request = try world.request(.signInOptions)
    await #expect(throws: CannotTell.self) { try await world.send(request) }
    #expect(pauses.withLock { $0 } == [.zero])
  }
}
