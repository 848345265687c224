// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct ReadinessTests {
  @Test func `Any number of readiness requests make one write check a second`() async throws {
    let world = try EndpointWorld(audience: .public, limits: Endpoints.Limits())
    let router = try EndpointRouter(world.endpoints.routes)
    let ask = { @Sendable (path: String) in
      await router.respond(
        to: EndpointRequest(
          method: .get, target: try RequestTarget(path.utf8), receivedAt: world.console.time)
      ).status
    }
    let checks = { world.faults.takeTransactions().count { $0 == "check" } }
    for _ in 1...3 {
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for number in 0..<200 {
          group.addTask {
            let status = try await ask(number.isMultiple(of: 2) ? "/readyz" : "/metrics")
            #expect(status == .ok)
          }
        }
        try await group.waitForAll()
      }
      #expect(checks() == 1)
      world.pass(1)
    }
    // A failed check is cached as long as a successful one.
    world.faults.fail(with: StorageError(.unavailable))
    #expect(try await ask("/readyz") == .serviceUnavailable)
    world.faults.fail(with: nil)
    #expect(try await ask("/readyz") == .serviceUnavailable)
    world.pass(1)
    #expect(try await ask("/readyz") == .ok)
    #expect(checks() == 2)
  }
}
