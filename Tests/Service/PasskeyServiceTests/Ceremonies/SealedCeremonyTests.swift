// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

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
    _ = world.faults.takeTransactions()
    _ = try await begin()
    _ = try await begin("nobody@raxx.app")
    _ = try await begin(nil)
    _ = try await world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at())
    _ = try await world.service.beginReverification(by: session, in: world.at())
    _ = try await world.service.beginRegistration(EmailAddress("eve@raxx.app"), in: world.at())
    #expect(Set(world.faults.takeTransactions()) == ["find accounts", "read passkeys"])
  }

  @Test func `a flood of options from many networks ends no sign-in`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    var responses: [AuthenticationResponse] = []
    for _ in 0..<64 { responses.append(try await ada.get(begin())) }
    _ = world.faults.takeTransactions()
    for number in 0..<Tier.choose(change: 5_000, merge: 20_000, night: 60_000) {
      var context = world.at(1)
      context.sourceAddress = "2001:db8:\(String(number, radix: 16))::1"
      _ = try await world.service.beginSignIn(nil, in: context)
    }
    #expect(world.faults.takeTransactions().isEmpty)
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
    try await world.service.deleteExpired(at: world.at(day + 1).time)
    #expect(try await world.memory.challengeSalts().count == 2)
    _ = try await world.service.finishSignIn(before, in: world.at(day + 2))
    // Sealed with the old key until all servers know the new one, and then with that.
    let other = try ServiceWorld(on: world) { _ in }
    for second in [day + 10, day + 1_201] {
      _ = try await other.service.finishSignIn(ada.get(begin(at: second)), in: world.at(second + 1))
    }
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(before, in: world.at(day + 3)) }
    // The first key is deleted an hour after its last ceremony.
    for (hour, count) in [(47, 2), (48, 3), (49, 2)] {
      try await world.service.deleteExpired(at: world.at(hour * 3_600 + 2).time)
      #expect(try await world.memory.challengeSalts().count == count, "after \(hour) hours")
    }
  }

  @Test func `servers with other keys in memory finish each other's ceremonies while keys are renewed`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let other = try ServiceWorld(on: world) { _ in }
    let day = 86_400
    // One reads the new salt at once, the other five minutes later.
    _ = try await other.service.beginSignIn(nil, in: world.at(day - 1))
    try await world.service.deleteExpired(at: world.at(day + 1).time)
    for second in stride(from: day + 2, to: day + 2_400, by: 97) {
      for (one, another) in [(world, other), (other, world)] {
        let options = try await one.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at(second))
        _ = try await another.service.finishSignIn(ada.get(options), in: world.at(second + 1))
      }
    }
  }

  @Test func `a restored store knows no ceremony, on no server`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let other = try ServiceWorld(on: world) { _ in }
    let former = try await ada.get(other.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at()))
    try await world.service.forgetCeremonies(at: world.at(1).time)
    for server in [world, other] {
      await expect(.signInCeremonyUnknown) { _ = try await server.service.finishSignIn(former, in: world.at(2)) }
    }
    _ = try await other.service.finishSignIn(ada.get(begin(at: 3)), in: world.at(301))
    // The other server reads the new salt after five minutes at the latest.
    let options = try await other.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at(302))
    _ = try await world.service.finishSignIn(ada.get(options), in: world.at(303))
  }

  @Test func `a key from a wrong clock does not stay`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let future = 10 * 86_400
    try await world.memory.replaceChallengeSalts(
      with: ChallengeSalt(bytes: [UInt8](repeating: 1, count: 16), created: world.at(future).time))
    let other = try ServiceWorld(on: world) { _ in }
    let options = try await other.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    #expect(try await world.memory.challengeSalts().map(\.created) == [ServiceWorld.start])
    _ = try await other.service.finishSignIn(ada.get(options), in: world.at())
  }

  @Test func `the clocks of servers may differ by less than the lifetime`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    for second in [-299, 299, 600] {
      _ = try await world.service.finishSignIn(ada.get(begin(at: second)), in: world.at())
    }
    let late = try await ada.get(begin(at: -302))
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(late, in: world.at()) }
  }

  @Test func `a response that is refused with an effect has it once`() async throws {
    let strict = try ServiceWorld({ (policy) in policy.cloneSignal = .refuse })
    let counting = try Person(Person.counting)
    _ = try await strict.signUp("ada@raxx.app", counting)
    let copy = try Person(cloning: counting)
    for _ in 0..<2 { _ = try await strict.signIn("ada@raxx.app", counting) }
    let response = try await copy.get(strict.service.beginSignIn(EmailAddress("ada@raxx.app"), in: strict.at()))
    await withTaskGroup(of: Void.self) { (group) in
      for _ in 0..<20 { group.addTask { _ = try? await strict.service.finishSignIn(response, in: strict.at()) } }
    }
    #expect(try await strict.trail.count { $0.hasPrefix("credential.clone") } == 1)
  }

  @Test func `no changed challenge finishes a registration or a step-up`() async throws {
    let session = try await world.openSession("ada@raxx.app", ada)
    let registration = try await world.service.beginRegistration(EmailAddress("eve@raxx.app"), in: world.at())
    let confirmation = try await world.service.beginStepUp(for: ServiceWorld.action, by: session, in: world.at())
    let eve = try Person()
    for changed in Self.changes(of: registration.challenge) {
      var options = registration
      options.challenge = changed
      let response = try await eve.create(options)
      await expect(.signUpCeremonyUnknown) { _ = try await world.service.finishRegistration(response, in: world.at()) }
    }
    for changed in Self.changes(of: confirmation.challenge) {
      var options = confirmation
      options.challenge = changed
      let response = try await ada.get(options)
      await expect(.stepUpCeremonyUnknown) {
        _ = try await world.service.finishStepUp(response, by: session, in: world.at())
      }
    }
    _ = try await world.service.finishRegistration(eve.create(registration), in: world.at())
    _ = try await world.service.finishStepUp(ada.get(confirmation), by: session, in: world.at())
  }

  /// Returns the challenge with a changed bit in each byte, one byte longer, and shortened at each place.
  private static func changes(of challenge: Challenge) -> [Challenge] {
    let bytes = [UInt8](challenge.bytes)
    let changed = bytes.indices.flatMap { (place) in
      var flipped = bytes
      flipped[place] ^= 1 << UInt8(place % 8)
      return [flipped, Array(bytes[..<place])].filter { $0.count >= 16 }
    }
    return (changed + [bytes + [0]]).map { (bytes) in Challenge(allowingGuessableLength: bytes[...]) }
  }

  @Test func `of 200 responses to a registration or a reverification one is accepted`() async throws {
    let session = try await world.openSession("ada@raxx.app", ada)
    let eve = try Person()
    let options = try await world.service.beginRegistration(EmailAddress("eve@raxx.app"), in: world.at())
    let registration = try await eve.create(options)
    let accepted = await Self.successes { _ = try await world.service.finishRegistration(registration, in: world.at()) }
    #expect(accepted == 1)
    let verification = try await ada.get(world.service.beginReverification(by: session, in: world.at()))
    let verified = await Self.successes {
      _ = try await world.service.finishReverification(
        ReceivedAuthentication(verification), by: session, in: world.at())
    }
    #expect(verified == 1)
  }

  private static func successes(_ body: @escaping @Sendable () async throws -> Void) async -> Int {
    await withTaskGroup(of: Bool.self) { (group) in
      for _ in 0..<200 { group.addTask { (try? await body()) != nil } }
      return await group.reduce(0) { (count, hasSucceeded) in count + (hasSucceeded ? 1 : 0) }
    }
  }

  @Test func `a spent ceremony is kept ten minutes longer than it lives`() async throws {
    _ = try await world.signUp("ada@raxx.app", ada)
    let options = try await begin()
    let response = try await ada.get(options)
    _ = try await world.service.finishSignIn(response, in: world.at())
    let id = CeremonyID(unchecked: Array(options.challenge.bytes.prefix(CeremonyID.byteCount)))
    let salt = try #require(try await world.memory.challengeSalts().first)
    let isSpent = { () async throws in
      try await world.memory.presented(response.id, in: id, sealedWith: salt).isSpent
    }
    // A server whose clock is ahead sweeps; one whose clock is right gets the response again.
    try await world.service.deleteExpired(at: world.at(899).time)
    await expect(.signInCeremonyUnknown) { _ = try await world.service.finishSignIn(response, in: world.at(299)) }
    #expect(try await isSpent())
    try await world.service.deleteExpired(at: world.at(901).time)
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

  @Test func `challenges have one length when new accounts get shorter handles than the decoys`() async throws {
    _ = try await begin("nobody@raxx.app")
    let other = try ServiceWorld(on: world) { (policy) in policy.identifiers.handles = .uuid }
    let made = try await other.signUp("ada@raxx.app", ada)
    #expect(made.account.handle.bytes.count == 16)
    let own = try await other.service.beginSignIn(EmailAddress("ada@raxx.app"), in: world.at())
    var lengths: Set<Int> = []
    for number in 0..<40 {
      let options = try await other.service.beginSignIn(EmailAddress("user\(number)@raxx.app"), in: world.at())
      if options.allowCredentials.count == 1 { lengths.insert(options.challenge.bytes.count) }
    }
    #expect(lengths == [own.challenge.bytes.count])
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
