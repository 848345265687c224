// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

/// An attacker opens accounts and changes them without end. Each change is a permanent audit record.
struct ChangeFloodTests {
  /// Opens an account, and returns its client.
  private func account(_ world: EndpointWorld, _ name: String, at address: IPAddress) async throws -> DirectClient {
    var client = try DirectClient(world, at: address)
    let person = try Person()
    let options = try await client.ask(.registerOptions, #"{"email":"\#(name)@example.org"}"#)
    let made = try await client.ask(.registerVerify, person.create(options.body))
    #expect(made.status == 200)
    client.fields = [("authorization", "Bearer \(try made.body.member("token"))")]
    return client
  }

  private func change(_ client: DirectClient) async throws -> Int {
    try await client.ask(.setPreferences, #"{"session.opened":true}"#).status
  }

  @Test func `accounts of one address write what its budget allows, however many there are`() async throws {
    let world = try EndpointWorld(limits: Endpoints.Limits())
    let address = IPAddress(v4: 0xc633_6401)
    var clients: [DirectClient] = []
    for number in 0..<6 { clients.append(try await account(world, "eve\(number)", at: address)) }
    // Each account has 240 changes at once.
    func flood() async throws -> Int {
      var count = 0
      for client in clients {
        while true {
          let status = try await change(client)
          guard status == 200 else {
            #expect(status == 429)
            break
          }
          count += 1
        }
      }
      return count
    }
    #expect(try await flood() == 1_200)
    world.pass(30)
    #expect(try await flood() == 120)
    // Another address, and the same account elsewhere, have budgets of their own.
    let ada = try await account(world, "ada", at: IPAddress(v4: 0xcb00_7101))
    #expect(try await change(ada) == 200)
  }

  /// Three subscribers of one site, a second address of the first, and another site.
  private static let sites = [
    ["2001:db8:7:1::1", "2001:db8:7:2::1", "2001:db8:7:3::1", "2001:db8:7:1::2", "2001:db8:8::1"],
    ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.1", "203.0.113.1"],
  ]

  @Test(arguments: sites)
  func `addresses of one site share a larger budget`(addresses: [String]) async throws {
    var limits = Endpoints.Limits.none
    limits.changesPerAddress = RateLimit(burst: 5, then: .seconds(3_600))
    limits.changesPerSite = RateLimit(burst: 12, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    var counts: [Int] = []
    for (number, text) in addresses.enumerated() {
      let client = try await account(world, "eve\(number)", at: #require(IPAddress(text)))
      var count = 0
      while try await change(client) == 200 { count += 1 }
      counts.append(count)
    }
    #expect(counts == [5, 5, 2, 0, 5])
  }

  @Test func `unknown clients of one site share sixteen budgets of ceremonies`() async throws {
    var limits = Endpoints.Limits.none
    limits.perAddress = RateLimit(burst: 2, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    func begin(at address: String) async throws -> Int {
      try await DirectClient(world, at: #require(IPAddress(address))).ask(.signInOptions, "{}").status
    }
    var statuses: [Int] = []
    for subscriber in 1...20 { statuses.append(try await begin(at: "2001:db8:7:\(subscriber)::1")) }
    for subscriber in 1...20 { statuses.append(try await begin(at: "2001:db8:7:\(subscriber)::1")) }
    #expect(statuses == Array(repeating: 200, count: 32) + Array(repeating: 429, count: 8))
    #expect(try await begin(at: "2001:db8:8::1") == 200)
  }
}
