// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

/// Strangers begin sign-ups to make the service store them and send mails to addresses of their choice.
struct MailFloodTests {
  private func world(_ limits: Endpoints.Limits) throws -> EndpointWorld {
    try EndpointWorld(limits: limits) { Scenarios.mailing(&$0, .required, recovery: .email(waiting: .zero)) }
  }

  private func begin(
    _ world: EndpointWorld, _ email: String, at address: String, by endpoint: EndpointName = .registerOptions
  ) async throws -> Int {
    try await DirectClient(world, at: #require(IPAddress(address)))
      .ask(endpoint, #"{"email":"\#(email)"}"#).status
  }

  private func recover(_ world: EndpointWorld, _ email: String, at address: String) async throws -> Int {
    try await DirectClient(world, at: #require(IPAddress(address)))
      .ask(.requestRecovery, #"{"email":"\#(email)"}"#).status
  }

  @Test(arguments: [true, false])
  func `a site of strangers begins a bounded number of sign-ups, and a user's code goes out first`(
    isIPv6: Bool
  ) async throws {
    let world = try world(Endpoints.Limits())
    let ada = try Visitor(world, "ada@example.org")
    _ = try await world.verify(ada.signUp().expect(202), at: ada).expect(200)
    _ = try await world.takeMails()

    var begun = 0
    for number in 0..<600 {
      let address = isIPv6 ? "2001:db8:7:\(number)::1" : "198.51.100.\(number % 250 + 1)"
      let client = try DirectClient(world, at: #require(IPAddress(address)))
      let options = try await client.ask(.registerOptions, #"{"email":"victim\#(number)@example.net"}"#)
      guard options.status == 200 else {
        #expect(options.status == 429)
        continue
      }
      #expect(try await client.ask(.registerVerify, Person().create(options.body)).status == 202)
      begun += 1
    }
    // The store has one record and one mail for each.
    #expect(begun == 200)
    let mails = try await world.service.outboxItems(OutboxSelection(destination: Scenarios.mail), limit: 1_000)
    #expect(mails.count == 200 && mails.allSatisfy { $0.notice.rank == .stranger })

    #expect(try await recover(world, "ada@example.org", at: "203.0.113.1") == 204)
    let claim = OutboxClaim(
      Scenarios.mail, by: DelivererID(unchecked: [UInt8](repeating: 1, count: 8)), limit: 1, at: world.now,
      until: world.now + .seconds(60))
    let first = try #require(try await world.service.claim(claim).first)
    #expect(first.notice.event == .recoveryRequested)
    let contact = try await world.service.contact(of: first.notice, withDevices: false, at: world.now)
    #expect(contact.email?.text == "ada@example.org")

    // The budget of the site fills again, slowly.
    world.pass(10)
    var more = 0
    for number in 0..<20 {
      let address = isIPv6 ? "2001:db8:7:a\(number)::1" : "198.51.100.\(number + 100)"
      if try await begin(world, "more\(number)@example.net", at: address) == 200 { more += 1 }
    }
    #expect(more == 5)
  }

  @Test(arguments: [EndpointName.registerOptions, .beginSignUp])
  func `mails to one domain leave room for others, and sign-ups for recoveries`(endpoint: EndpointName) async throws {
    var limits = Endpoints.Limits.none
    limits.mailsPerDomain = RateLimit(burst: 3, then: .seconds(3_600))
    limits.mails = RateLimit(burst: 5, then: .seconds(3_600))
    let world = try world(limits)
    func signUps(_ domain: String, _ count: Int) async throws -> [Int] {
      var statuses: [Int] = []
      for number in 1...count {
        statuses.append(try await begin(world, "a\(number)@\(domain)", at: "2001:db8:\(number)::1", by: endpoint))
      }
      return statuses
    }
    #expect(try await signUps("example.net", 4) == [200, 200, 200, 429])
    #expect(try await signUps("example.com", 3) == [200, 200, 429])
    #expect(try await recover(world, "ada@example.net", at: "2001:db8::1") == 204)
  }

  @Test func `a flood of one site leaves the budgets that all share`() async throws {
    var limits = Endpoints.Limits.none
    limits.mailsPerSite = RateLimit(burst: 2, then: .seconds(3_600))
    limits.mails = RateLimit(burst: 3, then: .seconds(3_600))
    let world = try world(limits)
    var statuses: [Int] = []
    for number in 1...9 {
      statuses.append(try await begin(world, "a\(number)@example.net", at: "2001:db8:7:\(number)::1"))
    }
    #expect(statuses == [200, 200] + Array(repeating: 429, count: 7))
    #expect(try await begin(world, "b@example.net", at: "2001:db8:8::1") == 200)
  }
}
