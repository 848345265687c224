// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct EndpointsTests {
  @Test func `only pages of the relying party on other hosts may call`() async throws {
    let world = try EndpointWorld()
    let own = ("Origin", "https://raxx.app")
    let question = [own, ("Access-Control-Request-Method", "POST")]
    let asked = try await world.send("OPTIONS", "/api/auth/login/options", nil, question).expect(204)
    #expect(asked.header("access-control-allow-origin") == "https://raxx.app")
    #expect(asked.header("access-control-allow-methods") == "OPTIONS, POST")
    #expect(asked.header("access-control-allow-headers")?.contains("passkey-step-up") == true)
    let answer = try await world.send("POST", "/api/auth/login/options", "{}", [own]).expect(200)
    #expect(answer.header("access-control-allow-origin") == "https://raxx.app")
    #expect(answer.header("access-control-allow-credentials") == "true")
    let yapt = try EndpointWorld(.yapt)
    #expect(try await yapt.send("GET", "/api/auth/me", nil, [own]).header("access-control-allow-credentials") == "true")
    for world in [world, yapt] {
      let other = try await world.send("OPTIONS", "/api/auth/me", nil, [("Origin", "https://evil.example")]).expect(204)
      #expect(other.header("access-control-allow-origin") == nil)
      #expect(other.header("allow") == "GET, HEAD, OPTIONS")
    }
  }

  @Test func `an action of an application requires a confirmation of its exact bytes`() async throws {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let order = #"{"symbol":"ACME","quantity":1000}"#
    try await world.send("POST", "/api/orders", order).expect(401, "session.unknown")
    let demanded = try await ada.ask("POST", "/api/orders", order)
    demanded.expect(401, "step-up.required")
    #expect(try demanded["stepUp", "path"] == "/api/orders")
    let grant = try await ada.grant("POST", "/api/orders", order)
    let other = #"{"symbol":"ACME","quantity":9000}"#
    try await ada.ask("POST", "/api/orders", other, grant: grant).expect(401, "step-up.grant-refused")
    #expect(try await ada.askConfirmed("POST", "/api/orders", order).expect(200)["by"] == "ada@example.org")
  }

  @Test func `one of many concurrent responses to a ceremony succeeds`() async throws {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let anonymous = try Visitor(world, "ada@example.org")
    let response = try await ada.person.get(anonymous.ask(.signInOptions, "", "{}").expect(200).body)
    let path = try world.path(.signInVerify)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { (group) in
      for _ in 0..<50 {
        group.addTask { try await world.send("POST", path, response).status }
      }
      return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [200: 1, 410: 49])
  }

  @Test func `a TLS cookie has its prefix and stays on its host`() async throws {
    var profile = ServiceProfile.raxx
    profile.sessions.deliveries = [.cookie]
    profile.sessions.cookie.name = "raxx"
    let world = try EndpointWorld(profile)
    let router = try EndpointRouter(world.endpoints.routes)
    func request(_ method: EndpointMethod, _ path: String, _ body: String, cookie: String?) throws -> EndpointRequest {
      var headers = EndpointHeaders()
      headers.set("origin", "https://raxx.app")
      headers.set("content-type", "application/json")
      if let cookie { headers.set("cookie", cookie) }
      return EndpointRequest(
        method: method, target: try RequestTarget(path.utf8), headers: headers, body: Array(body.utf8),
        isEncrypted: true, receivedAt: EndpointWorld.start)
    }
    let begun = await router.respond(
      to: try request(.post, "/api/auth/register/options", #"{"email":"ada@example.org"}"#, cookie: nil))
    let field = try #require(begun.headers["set-cookie"])
    #expect(field.hasPrefix("__Host-raxx.ceremony="))
    #expect(field.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
    let response = try await Person().create(String(decoding: begun.body, as: UTF8.self))
    let cookie = String(field.prefix { $0 != ";" })
    // A cookie without the prefix may come from another host, so it does not count.
    let plain = await router.respond(
      to: try request(.post, "/api/auth/register/verify", response, cookie: String(cookie.dropFirst(7))))
    #expect(plain.status == .gone)
  }
}
