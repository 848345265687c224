// SPDX-License-Identifier: Apache-2.0

import PasskeyStorage
import ServiceTestSupport
import Testing
import WireFormats

@testable import PasskeyService

struct UpkeepVerbTests {
  @Test func `what is over is swept`() async throws {
    let world = try ServiceWorld({ $0.personalDetailRetention = .seconds(3600) })
    let ada = try Person()
    let session = try await world.settle("ada@raxx.app", ada)
    for _ in 0..<20 { _ = try await world.service.beginSignIn(nil, in: world.at()) }
    _ = try await world.confirm(session, ada)
    _ = try await world.service.invite(nil, by: .console, in: world.at())
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(60)) == 0)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(61)) == 1)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(301)) == 20)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(901)) == 1)
    let withAddress = try await world.memory.auditEntries(after: 0, of: nil, limit: 99)
      .filter { !$0.personalDetails.isEmpty }
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(3601)) == withAddress.count)
    #expect(withAddress.count == 5)
    #expect(try await world.service.sweep(at: ServiceWorld.start + .seconds(7 * 86_400 + 1)) == 1)
    try await world.service.verifyAudit()
  }

  @Test func `a store that works is checked`() async throws {
    let world = try ServiceWorld()
    try await world.service.check()
    world.storage.fail(with: StorageError(.readOnly))
    await expect(.storageUnavailable) { try await world.service.check() }
  }
}
