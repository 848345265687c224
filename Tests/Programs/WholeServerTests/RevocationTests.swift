// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Three servers of one database. Each request reads its session from the database, and no server keeps a copy, so a
/// revocation needs no time to arrive.
@Suite(
  .tags(.postgres), .enabled(if: PostgreSQLControl.isPresent, "no PostgreSQL: Scripts/lib/with-postgresql starts one"))
struct RevocationTests {
  private static let rounds = Sanitizer.isPresent ? 1 : 3

  private static func servers(_ options: String...) async throws -> (ServerPlace, [ServerProcess]) {
    let place = try await ServerPlace(.postgreSQL, options)
    var servers: [ServerProcess] = []
    for _ in 0..<3 { servers.append(try await ServerProcess.start(place)) }
    return (place, servers)
  }

  private static func stop(_ servers: [ServerProcess], of place: ServerPlace) async throws {
    for server in servers { #expect(try await server.stop() == 0) }
    try await place.verifyAudit()
  }

  @Test func `a session that one server has ended is refused by all servers from the reply on`() async throws {
    let (place, servers) = try await Self.servers()
    let client = try Client(at: servers[0].port, Ledger())
    try await client.signUp()
    var ended: [String] = []
    for round in 0..<(2 * Self.rounds) {
      let token = try await client.signIn()
      try await SessionWatch.expectEnd("a session", of: token, on: servers) {
        try await Client(client, at: servers[round % 3].port).signOut(token)
      }
      ended.append(token)
    }
    for token in ended { try await SessionWatch.expectRefusal(of: token, by: servers) }
    try await Self.stop(servers, of: place)
  }

  @Test func `a disabled account is refused by all servers from the reply on`() async throws {
    let (place, servers) = try await Self.servers()
    let root = try Client(at: servers[0].port, Ledger())
    let printed = try await place.run("user", "add", root.email, "--role", "admin", "--json")
    let administrator = try await root.signUp(code: JSON.parse(printed).require("oneTimeCode").string)
    for round in 0..<Self.rounds {
      let client = try Client(at: servers[0].port, Ledger())
      let made = try await client.signedUp()
      let (id, token) = (try made["account", "id"], try made["token"])
      let signIns = try await Self.signIns(of: client, on: servers)
      try await SessionWatch.expectEnd("the session of a disabled account", of: token, on: servers) {
        try await Client(root, at: servers[round % 3].port)
          .perform(Client.Action(path: "/api/admin/users/\(id)/disable"), administrator)
      }
      try await Self.expectRefusal(of: signIns, by: client, 403, "sign-in.account-disabled")
    }
    try await Self.stop(servers, of: place)
  }

  @Test func `an erased account is refused by all servers from the reply on`() async throws {
    let (place, servers) = try await Self.servers()
    for round in 0..<Self.rounds {
      let client = try Client(at: servers[0].port, Ledger())
      let token = try await client.signUp()
      let signIns = try await Self.signIns(of: client, on: servers)
      try await SessionWatch.expectEnd("the session of an erased account", of: token, on: servers) {
        try await Client(client, at: servers[round % 3].port)
          .perform(Client.Action(method: "DELETE", path: "/api/account"), token)
      }
      try await Self.expectRefusal(of: signIns, by: client, 401, "sign-in.refused")
    }
    try await Self.stop(servers, of: place)
  }

  @Test func `a confirmation that one server has accepted is refused by all servers`() async throws {
    let (place, servers) = try await Self.servers()
    let client = try Client(at: servers[0].port, Ledger())
    let token = try await client.signUp()
    for round in 0..<Self.rounds {
      let fields = Client.fields(token, grant: try await client.confirm(token))
      let ask = { (server: ServerProcess) async throws -> Answer in
        try await Line(to: server.port).ask("POST", "/api/auth/register/options", "{}", fields: fields)
      }
      try await ask(servers[round % 3]).expect(200)
      for server in servers + servers { try await ask(server).expect(401, "step-up.grant-refused") }
    }
    try await Self.stop(servers, of: place)
  }

  @Test func `a refresh token that one server has accepted is refused by all servers, and ends its session`()
    async throws
  {
    let (place, servers) = try await Self.servers("--refresh", "1h")
    let client = try Client(at: servers[0].port, Ledger())
    try await client.signUp()
    for round in 0..<Self.rounds {
      let opened = try await Line(to: servers[0].port).ask("POST", "/api/auth/login/verify", client.signedIn())
      let spent = try opened.expect(200)["refreshToken"]
      // The client that used the token may repeat it for a moment. A thief has another address.
      let renew = { (server: ServerProcess, token: String, address: String) async throws -> Answer in
        try await Line(to: server.port).ask(
          "POST", "/api/auth/refresh", #"{"refreshToken":"\#(token)"}"#, fields: [("X-Forwarded-For", address)])
      }
      let renewed = try await renew(servers[round % 3], spent, "192.0.2.1").expect(200)
      let (token, next) = (try renewed["token"], try renewed["refreshToken"])
      try await SessionWatch.expectEnd("the session of a leaked refresh token", of: token, on: servers) {
        try await renew(servers[(round + 1) % 3], spent, "192.0.2.2").expect(401, "session.renewal-refused")
      }
      for server in servers {
        for (token, address) in [(spent, "192.0.2.1"), (spent, "192.0.2.2"), (next, "192.0.2.1")] {
          try await renew(server, token, address).expect(401, "session.renewal-refused")
        }
      }
    }
    try await Self.stop(servers, of: place)
  }

  /// Begins a sign-in on each server and returns the responses that would complete them, with their servers.
  private static func signIns(
    of client: Client, on servers: [ServerProcess]
  ) async throws -> [(server: ServerProcess, response: String)] {
    var signIns: [(ServerProcess, String)] = []
    for server in servers { signIns.append((server, try await Client(client, at: server.port).signedIn())) }
    return signIns
  }

  /// Checks that each server refuses sign-ins that began before the end of the account, and later ones with this status and
  /// code.
  private static func expectRefusal(
    of signIns: [(server: ServerProcess, response: String)], by client: Client, _ status: Int, _ code: String
  ) async throws {
    for (server, response) in signIns {
      let line = Line(to: server.port)
      try await line.ask("POST", "/api/auth/login/verify", response).expect(status, code)
      let later = try await Client(client, at: server.port).signedIn(isNamed: false)
      try await line.ask("POST", "/api/auth/login/verify", later).expect(status, code)
    }
  }
}
