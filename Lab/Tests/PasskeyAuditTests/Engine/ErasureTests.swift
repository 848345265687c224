// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import PasskeySystem
import Testing

@testable import PasskeyAudit

/// The removal of the accounts that an audit made.
struct ErasureTests {
  private static func check(_ id: String, _ run: @escaping @Sendable (AuditWorld) async throws -> Void) -> Check {
    Check(id: id, title: id, references: [], severity: .low, rationale: "", advice: "") { (world) in
      try await run(world)
      return .pass
    }
  }

  @Test func `accounts that no group shares are erased before the checks of limits`() async throws {
    let server = try FaultyServer()
    let counts = Locked<[Int]>([])
    let checks = [
      Self.check("registration.two") { (world) in
        _ = try await world.newPerson()
        _ = try await world.mainPerson()
        counts.withLock { $0.append(world.people.count) }
      },
      Self.check("limits.none") { (world) in
        counts.withLock { $0.append(world.people.filter { !world.isShared($0) }.count) }
      },
    ]
    let report = await (try Audit(AuditTests.options(server.url, []), checks: checks)).run()
    await server.stop()
    #expect(report.findings.map(\.verdict) == [.pass, .pass])
    #expect(counts.withLock { $0.first ?? 0 } >= 3)
    #expect(counts.withLock { $0.last } == 0)
    #expect(report.leftBehind == [])
  }

  @Test func `a cancelled audit erases its accounts`() async throws {
    let server = try FaultyServer()
    let checks = [
      Self.check("registration.cancelled") { (world) in
        _ = try await world.newPerson()
        unsafe withUnsafeCurrentTask { (task) in unsafe task?.cancel() }
      }
    ]
    let audit = try Audit(AuditTests.options(server.url, []), checks: checks)
    let report = await Task { await audit.run() }.value
    #expect(report.leftBehind == [])
    #expect(audit.world.people.count >= 2)
    await server.stop()
  }
}
