// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyHTTP

/// An attacker on ten addresses floods an account. One of the addresses is the owner's own, as behind a shared NAT.
struct FloodedAccountTests {
  private static let attackers = (1...10).map { IPAddress(v4: 0xc633_6400 + UInt32($0)) }
  fileprivate static let email = "ada@example.org"

  /// Signs up an owner at the first of the flooded addresses and returns the client with its marks.
  private func owner(_ world: EndpointWorld, _ person: Person) async throws -> DirectClient {
    var client = try DirectClient(world, at: Self.attackers[0])
    let options = try await client.ask(.registerOptions, client.account)
    var finishing = client
    finishing.take(options.headers)
    let made = try await finishing.ask(.registerVerify, person.create(options.body))
    #expect(made.status == 200)
    switch world.endpoints.profile.sessions.deliveries[0] {
    case .bearer: client.fields = [("Passkey-Client", try made.body.member("clientToken"))]
    case .cookie:
      client.take(made.headers)
      client.fields.removeAll { !$0.1.hasPrefix("yapt.sid.client=") }
      #expect(client.fields.count == 1)
    }
    return client
  }

  @Test(arguments: [ServiceProfile.raxx, .yapt])
  func `A flood from ten addresses never slows the owner's known client`(profile: ServiceProfile) async throws {
    let world = try EndpointWorld(profile, limits: Endpoints.Limits())
    let person = try Person()
    let owner = try await owner(world, person)
    let clients = try Self.attackers.map { try DirectClient(world, at: $0) }
    for second in 0..<60 {
      for client in clients { try await client.flood() }
      if second.isMultiple(of: 10) {
        #expect(try await owner.signIn(person) == [200, 200], "second \(second)")
        // The owner's new device at another address is not affected by the flood either.
        let elsewhere = try DirectClient(world, at: IPAddress(v4: 0xcb00_7100 + UInt32(second)))
        #expect(try await elsewhere.signIn(person) == [200, 200], "second \(second)")
      }
      world.pass(1)
    }
    // An unknown client at a flooded address is rate limited, and so is one with a forged mark or a mark for another
    // account.
    for client in clients { try await client.flood() }
    #expect(try await clients[0].signIn(person) == [429])
    var forger = clients[0]
    forger.fields = [("Passkey-Client", String(repeating: "A", count: 76))]
    #expect(try await forger.signIn(person) == [429])
  }

  @Test func `A network of 200 people who each view ten sign-in pages a minute is never refused`() async throws {
    let world = try EndpointWorld(limits: Endpoints.Limits())
    let office = try DirectClient(world, at: Self.attackers[0])
    let person = try Person()
    _ = try await owner(world, person)
    for second in 0..<120 {
      // Each view offers passkeys in the autofill of its field.
      for _ in 0..<34 {
        #expect(try await office.ask(.signInOptions, #"{"mediation":"conditional"}"#).status == 200, "second \(second)")
      }
      if second.isMultiple(of: 30) { #expect(try await office.signIn(person) == [200, 200], "second \(second)") }
      world.pass(1)
    }
    // Other beginnings have the ordinary budget, also with such a mark beside a name.
    var statuses: Set<Int> = []
    for _ in 0..<80 {
      let name = #"{"mediation":"conditional","email":"x@example.org"}"#
      statuses.insert(try await office.ask(.signInOptions, name).status)
    }
    #expect(statuses.contains(429))
  }

  @Test func `A mark for one account gives no budget for another`() async throws {
    var limits = Endpoints.Limits.none
    limits.perAccount = RateLimit(burst: 2, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    let owner = try await owner(world, Person())
    let other = #"{"email":"bob@example.org"}"#
    #expect(try await owner.ask(.signInOptions, other).status == 200)
    #expect(try await owner.ask(.signInOptions, other).status == 200)
    #expect(try await owner.ask(.signInOptions, other).status == 429)
    // The known client has a separate budget, which is limited too.
    #expect(try await owner.ask(.signInOptions, owner.account).status == 200)
    #expect(try await owner.ask(.signInOptions, owner.account).status == 200)
    #expect(try await owner.ask(.signInOptions, owner.account).status == 429)
  }

  @Test func `Known clients of one address share ten of its budgets`() async throws {
    var limits = Endpoints.Limits.none
    limits.perAddress = RateLimit(burst: 8, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    var owner = try await owner(world, Person())
    // Two requests counted as an unknown client; as a known client it has eight more.
    for _ in 0..<8 { #expect(try await owner.ask(.signInOptions, "{}").status == 200) }
    #expect(try await owner.ask(.signInOptions, "{}").status == 429)
    owner.fields = []
    for _ in 0..<6 { #expect(try await owner.ask(.signInOptions, "{}").status == 200) }
    #expect(try await owner.ask(.signInOptions, "{}").status == 429)
  }

  @Test func `Signing out keeps the mark of a browser, and ending every session clears it`() async throws {
    let world = try EndpointWorld(.yapt)
    let ada = try await Visitor.signedIn(world, Self.email)
    #expect(ada.cookies.fields.contains { $0.1.hasPrefix("yapt.sid.client=") })
    try await ada.ask(.signOut).expect(200)
    #expect(ada.cookies.fields.contains { $0.1.hasPrefix("yapt.sid.client=") })
    try await ada.signIn().expect(200)
    try await ada.ask(.revokeSessions).expect(200)
    #expect(ada.cookies.fields.isEmpty)
  }

  /// The same at full speed in real time: each sign-in begins while all attackers are refused.
  @Test
  func `A flood at full speed never slows the owner's known client`() async throws {
    let world = try EndpointWorld(limits: Endpoints.Limits(), hasRealTime: true)
    let person = try Person()
    let owner = try await owner(world, person)
    let (refused, ends) = (Tally(), Tally())
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      defer { ends.add() }
      for address in Self.attackers {
        let client = try DirectClient(world, at: address)
        group.addTask {
          while ends.value == 0 {
            try await client.flood()
            if try await client.ask(.signInOptions, client.account).status == 429 { refused.add() }
            // A server's connections take turns.
            await Task.yield()
          }
        }
      }
      // The known client's budget is twenty ceremonies.
      for round in 1...Tier.choose(change: 3, merge: 9, night: 9) {
        #expect(await eventually { refused.value > round * 200 })
        #expect(try await owner.signIn(person) == [200, 200])
      }
      ends.add()
      try await group.waitForAll()
    }
  }
}

extension DirectClient {
  fileprivate var account: String {
    "{\"\(world.endpoints.profile.identifiers.email == .none ? "username" : "email")\":\"\(FloodedAccountTests.email)\"}"
  }

  /// Sends every request that an unauthenticated client may send for the address.
  fileprivate func flood() async throws {
    for (name, body) in [
      (EndpointName.signInOptions, account), (.registerOptions, account), (.signInOptions, "{}"),
      (.signInVerify, "{}"),
      (.refresh, #"{"refreshToken":"AAAA"}"#),
    ] where world.endpoints.profile[name] != nil { _ = try await ask(name, body) }
  }

  /// Returns the statuses of the two requests of a sign-in.
  fileprivate func signIn(_ person: Person) async throws -> [Int] {
    let options = try await ask(.signInOptions, account)
    guard options.status == 200 else { return [options.status] }
    var next = self
    next.take(options.headers)
    return [200, try await next.ask(.signInVerify, person.get(options.body)).status]
  }
}
