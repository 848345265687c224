// SPDX-License-Identifier: Apache-2.0

import PasskeyStorage
import ServiceTestSupport
import SystemCrypto
import TestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import PasskeyService

@Suite struct SealedCeremonyTests {
  private let world: ServiceWorld
  private let ada: Person

  init() throws {
    world = try ServiceWorld()
    ada = try Person()
  }

  private func begin(_ email: String? = "ada@raxx.app", at seconds: Int = 0) async throws -> RequestOptions {
    try await world.service.beginSignIn(email.map { .email(try EmailAddress($0)) }, in: world.at(seconds))
  }

  @Test func `options write nothing`() async throws {
    let session = try await world.openSession("ada@raxx.app", ada)
    // The first request by name fixes the lists of decoys.
    _ = try await begin()
    _ = world.storage.takeCalls()
    _ = try await begin()
    _ = try await begin("nobody@raxx.app")
    _ = try await begin(nil)
    _ = try await world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at())
    _ = try await world.service.beginReverification(by: session, in: world.at())
    _ = try await world.service.beginRegistration(EmailAddress("eve@raxx.app"), in: world.at())
    #expect(Set(world.storage.takeCalls()) == ["candidate", "passkeys", "account"])
  }

  @Test func `a flood of options from many networks ends no sign-in`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    var responses: [AuthenticationResponse] = []
    for _ in 0..<64 { responses.append(try await ada.get(begin())) }
    _ = world.storage.takeCalls()
    for number in 0..<Tier.choose(change: 5_000, merge: 20_000, night: 60_000) {
      var context = world.at(1)
      context.sourceAddress = "2001:db8:\(String(number, radix: 16))::1"
      _ = try await world.service.beginSignIn(nil, in: context)
    }
    #expect(world.storage.takeCalls().isEmpty)
    for response in responses { _ = try await world.service.finishSignIn(response, in: world.at(5)) }
  }

  @Test func `another server, or the same after a restart, finishes what one began, once`() async throws {
    let made = try await world.signUp("ada@raxx.app", ada)
    let response = try await ada.get(begin())
    let others = try [ServiceWorld(on: world) { _ in }, ServiceWorld(on: world) { _ in }]
    _ = try await others[0].service.finishSignIn(response, in: world.at())
    for server in others + [world] {
      await expect(.signInCeremonyUnknown) { _ = try await server.service.finishSignIn(response, in: world.at()) }
    }
    let sessions = try await world.memory.sessions(of: made.account.handle, but: nil, keeping: nil, limit: 9)
    #expect(sessions.count == 2)
  }

  @Test func `another store with the same secret does not know a ceremony`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let other = try ServiceWorld()
    _ = try await other.signUp("ada@raxx.app", Person())
    let response = try await ada.get(begin())
    await expect(.signInCeremonyUnknown) { _ = try await other.service.finishSignIn(response, in: world.at()) }
    _ = try await world.service.finishSignIn(response, in: world.at())
  }

  @Test func `a replayed response is unknown, and no sign of a copied passkey`() async throws {
    let strict = try ServiceWorld({ (policy) in policy.cloneSignal = .disable })
    let counting = try Person(Person.counting)
    let made = try await strict.signUp("ada@raxx.app", counting)
    let options = try await strict.service.beginSignIn(EmailAddress("ada@raxx.app"), in: strict.at())
    let response = try await counting.get(options)
    _ = try await strict.service.finishSignIn(response, in: strict.at())
    let outcomes = await withTaskGroup(of: Bool.self) { (group) in
      for _ in 0..<20 {
        group.addTask { (try? await strict.service.finishSignIn(response, in: strict.at())) != nil }
      }
      return await group.reduce(0) { (count, isIn) in count + (isIn ? 1 : 0) }
    }
    #expect(outcomes == 0)
    #expect(try await strict.memory.passkey(made.passkey.record.id)?.isDisabled == false)
    #expect(try await !strict.trail.contains { $0.hasPrefix("credential.clone") })
  }

  @Test func `keys are renewed daily, and the one of the day before still opens`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let day = 86_400
    let before = try await ada.get(begin(at: day - 1))
    try await world.service.sweep(at: world.at(day + 1).time)
    #expect(try await world.memory.challengeSalts().count == 2)
    _ = try await world.service.finishSignIn(before, in: world.at(day + 2))
    // Sealed with the old key until all servers know the new one, and then with that.
    let other = try ServiceWorld(on: world) { _ in }
    for second in [day + 10, day + 601] {
      _ = try await other.service.finishSignIn(ada.get(begin(at: second)), in: world.at(second + 1))
    }
    let last = try await ada.get(begin(at: day + 700))
    try await world.service.sweep(at: world.at(2 * day + 701).time)
    #expect(try await world.memory.challengeSalts().count == 2)
    #expect(try await world.memory.challengeSalts().allSatisfy { $0.created > ServiceWorld.start })
    await expect(.signInCeremonyUnknown) {
      _ = try await world.service.finishSignIn(last, in: world.at(2 * day + 702))
    }
  }

  @Test func `a restored store knows no ceremony`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let response = try await ada.get(begin())
    try await world.service.forgetCeremonies(at: world.at(1).time)
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(response, in: world.at(2)) }
    _ = try await world.service.finishSignIn(ada.get(begin(at: 3)), in: world.at(3))
  }

  @Test func `a spent ceremony is kept ten minutes longer than it lives`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let options = try await begin()
    let response = try await ada.get(options)
    _ = try await world.service.finishSignIn(response, in: world.at())
    let id = CeremonyID(unchecked: Array(options.challenge.bytes.prefix(CeremonyID.byteCount)))
    let isSpent = { () async throws in try await world.memory.presented(response.id, in: id).isSpent }
    // A server whose clock is ahead sweeps; one whose clock is right gets the response again.
    try await world.service.sweep(at: world.at(899).time)
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(response, in: world.at(299)) }
    #expect(try await isSpent())
    try await world.service.sweep(at: world.at(901).time)
    #expect(try await !isSpent())
  }

  @Test func `challenges of accounts and of strangers have one length`() async throws {
    for number in 0..<8 { _ = try await world.signUp("user\(number)@raxx.app", Person()) }
    var lengths: [Int: Set<Int>] = [:]
    for number in 0..<40 {
      let options = try await begin("user\(number)@raxx.app")
      lengths[options.allowCredentials.count, default: []].insert(options.challenge.bytes.count)
    }
    #expect(lengths.values.allSatisfy { $0.count == 1 })
    #expect(try await Base64URL.encode(begin(nil).challenge.bytes).count <= 200)
  }

  @Test func `the challenge of a sign-up has at most 700 characters`() async throws {
    let names = try ServiceWorld({ (policy) in
      (policy.identifiers.email, policy.identifiers.username) = (.required, .required)
    })
    let local = String(repeating: "a", count: 64)
    let label = String(repeating: "b", count: 61)
    let email = try EmailAddress("\(local)@\(label).\(label).\(label).\(String(label.prefix(2)))")
    let options = try await names.service.beginRegistration(
      AccountNames(username: Username(String(repeating: "n", count: 64)), email: email), in: names.at())
    #expect(Base64URL.encode(options.challenge.bytes).count <= 700)
  }
}
