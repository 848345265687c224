// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct RefusalBudgetTests {
  private static let start = UnixTime(secondsSince1970: 1_800_000_000)

  @Test func `a flood is recorded up to the budget, and the next record counts the rest`() {
    let budget = RefusalBudget()
    let recorded = (0..<10_000).count { (_) in budget.take(at: Self.start) != nil }
    #expect(recorded == RefusalBudget.burst)
    #expect(budget.take(at: Self.start + .seconds(1)) == 9_000)
    // Nine more of this second, and ten of each other one.
    #expect((0..<100).count { (_) in budget.take(at: Self.start + .seconds(1)) != nil } == 9)
    #expect((0..<100).count { (_) in budget.take(at: Self.start + .seconds(3)) != nil } == 20)
  }

  @Test func `a clock that goes back fills nothing and blocks nothing`() {
    let budget = RefusalBudget()
    for _ in 0..<RefusalBudget.burst { _ = budget.take(at: Self.start) }
    // The order of concurrent requests.
    #expect(budget.take(at: Self.start - .seconds(1)) == nil)
    #expect(budget.take(at: Self.start) == nil)
    #expect(budget.take(at: Self.start + .seconds(1)) != nil)
    // The clock was a year ahead, and is set back.
    let ahead = Self.start + .seconds(31_536_000)
    for _ in 0..<RefusalBudget.burst { _ = budget.take(at: ahead) }
    #expect(budget.take(at: Self.start + .seconds(2)) == nil)
    #expect((0..<100).count { (_) in budget.take(at: Self.start + .seconds(3)) != nil } == 10)
    let later = UnixTime(secondsSince1970: .max)
    #expect((0..<2_000).count { (_) in budget.take(at: later) != nil } == RefusalBudget.burst)
  }

  /// Answers the options of an address with the ID that they list and no valid signature.
  private func refuse(_ email: String = "nobody@raxx.app", in world: ServiceWorld) async throws {
    let options = try await world.service.beginSignIn(EmailAddress(email), in: world.at())
    let response = AuthenticationResponse(
      id: try #require(options.allowCredentials.first).id,
      clientDataJSON: ClientData(
        type: .get, challenge: options.challenge, origin: try WebOrigin("https://raxx.app")
      ).encoded,
      authenticatorData: [], signature: [0])
    await #expect(throws: ServiceError.self) { _ = try await world.service.finishSignIn(response, in: world.at()) }
  }

  @Test func `a refusal that cannot be recorded is counted by the next record`() async throws {
    let world = try ServiceWorld()
    world.faults.fail(with: StorageError(.readOnly, "full"), in: "INSERT INTO audit ")
    for _ in 0..<2 { try await refuse(in: world) }
    world.faults.fail(with: nil)
    try await refuse(in: world)
    let last = try await world.memory.auditEntries(after: 0, of: nil, limit: 1_000).last
    #expect(last?.record.details["omitted"] == "2")
  }

  @Test func `refused sign-ins of strangers do not fill the store, and a signed-in user's are all recorded`()
    async throws
  {
    let world = try ServiceWorld()
    let person = try Person()
    let ada = try await world.openSession("ada@raxx.app", person)
    for _ in 0..<RefusalBudget.burst { _ = world.service.refusalBudget.take(at: ServiceWorld.start) }
    let count = try await world.trail.count
    for email in ["ada@raxx.app", "nobody@raxx.app"] { try await refuse(email, in: world) }
    #expect(try await world.trail.count == count)
    let invented = PresentedConfirmation(
      of: ServiceWorld.action, grant: try Token(at: ServiceWorld.start, random: .system))
    await expect(.stepUpGrantRefused) {
      try await world.service.erase(ada, confirmation: invented, in: world.at())
    }
    #expect(try await world.trail.count == count + 1)
    // A second later a refusal is recorded again, with the number of those that were not.
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at(1))
    var forged = try await person.get(options)
    forged.signature = [0]
    let response = forged
    await #expect(throws: ServiceError.self) { _ = try await world.service.finishSignIn(response, in: world.at(1)) }
    let last = try await world.memory.auditEntries(after: 0, of: nil, limit: 1_000).last
    #expect(last?.record.details["omitted"] == "2")
  }
}
