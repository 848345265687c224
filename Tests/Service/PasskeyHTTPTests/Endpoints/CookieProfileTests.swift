// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct CookieProfileTests {
  private static let origin = ("Origin", "https://raxx.app")

  private func send(
    _ world: EndpointWorld, _ method: String, _ target: String, _ body: String? = nil, cookie: String? = nil,
    origin: (String, String)? = Self.origin
  ) async throws -> Answer {
    let cookies = cookie.map { [("Cookie", $0)] } ?? []
    return try await world.send(method, target, body, cookies + (origin.map { [$0] } ?? []))
  }

  @Test func `a sign-in ends the session whose cookie it replaces`() async throws {
    let world = try EndpointWorld(.yapt)
    let person = try Person()
    let begun = try await send(
      world, "POST", "/api/auth/register/generate-options", #"{"username":"ada@example.org"}"#
    ).expect(200)
    let pending = "yapt.sid=\(try #require(begun.cookies["yapt.sid"]))"
    let made = try await send(
      world, "POST", "/api/auth/register/verify", person.create(begun.body), cookie: pending
    ).expect(200)
    let first = "yapt.sid=\(try #require(made.cookies["yapt.sid"]))"
    let options = try await send(
      world, "POST", "/api/auth/login/generate-options", #"{"username":"ada@example.org"}"#, cookie: first
    ).expect(200)
    // A refused sign-in ends nothing.
    try await send(world, "POST", "/api/auth/login/verify", person.get(begun.body), cookie: first).expect(400)
    try await send(world, "GET", "/api/auth/me", cookie: first).expect(200)
    let signed = try await send(
      world, "POST", "/api/auth/login/verify", person.get(options.body), cookie: first
    ).expect(200)
    let second = "yapt.sid=\(try #require(signed.cookies["yapt.sid"]))"
    #expect(second != first)
    try await send(world, "GET", "/api/auth/me", cookie: first).expect(401, "session.unknown")
    try await send(world, "GET", "/api/auth/me", cookie: second).expect(200)
    // A sign-in of another client ends no session.
    let other = try await send(
      world, "POST", "/api/auth/login/generate-options", #"{"username":"ada@example.org"}"#
    ).expect(200)
    let own = "yapt.sid=\(try #require(other.cookies["yapt.sid"]))"
    try await send(world, "POST", "/api/auth/login/verify", person.get(other.body), cookie: own).expect(200)
    try await send(world, "GET", "/api/auth/me", cookie: second).expect(200)
  }

  @Test func `the Yapt cookie carries the pending ceremony, then the session`() async throws {
    let world = try EndpointWorld(.yapt)
    let person = try Person()
    let begun = try await send(
      world, "POST", "/api/auth/register/generate-options", #"{"username":"ada@example.org"}"#
    ).expect(200)
    #expect(
      begun.header("set-cookie")?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000") == true)
    let pending = "yapt.sid=\(try #require(begun.cookies["yapt.sid"]))"
    let response = try await person.create(begun.body)
    let made = try await send(world, "POST", "/api/auth/register/verify", response, cookie: pending).expect(200)
    #expect(made.body.hasPrefix(#"{"verified":true"#))
    #expect(try made["user", "username"] == "ada@example.org")
    #expect(!made.body.contains(#""token""#))
    let session = "yapt.sid=\(try #require(made.cookies["yapt.sid"]))"
    #expect(session != pending)
    #expect(try await send(world, "GET", "/api/auth/me", cookie: session)["user", "username"] == "ada@example.org")
    // The binding cookie is not a session.
    try await send(world, "GET", "/api/auth/me", cookie: pending).expect(401, "session.unknown")

    let out = try await send(world, "POST", "/api/auth/logout", cookie: session).expect(200)
    #expect(try out["message"] == "You are signed out.")
    #expect(out.headers("set-cookie").contains { $0.hasPrefix("yapt.sid=;") && $0.contains("Max-Age=0") })
    try await send(world, "GET", "/api/auth/me", cookie: session).expect(401, "session.unknown")

    // Another browser cannot complete the ceremony.
    let options = try await send(
      world, "POST", "/api/auth/login/generate-options", #"{"username":"ada@example.org"}"#
    ).expect(200)
    let own = "yapt.sid=\(try #require(options.cookies["yapt.sid"]))"
    let signed = try await person.get(options.body)
    try await send(world, "POST", "/api/auth/login/verify", signed).expect(400, "sign-in.ceremony-unknown")
    // A browser keeps its binding cookie until it has a session.
    let again = try await send(
      world, "POST", "/api/auth/login/generate-options", #"{"username":"ada@example.org"}"#, cookie: own
    ).expect(200)
    #expect(again.cookies.isEmpty)
    try await send(world, "POST", "/api/auth/login/verify", person.get(again.body), cookie: own).expect(200)
  }

  // The second case is a development server that clients reach at an address other than loopback.
  @Test(arguments: [["https://raxx.app"], ["https://raxx.app", "http://localhost:8080"]])
  func `a cookie is Secure over plain HTTP, whatever the origins`(origins: [String]) async throws {
    let world = try EndpointWorld(.yapt, origins: origins)
    let begun = try await send(world, "POST", "/api/auth/login/generate-options", #"{"username":"ada@example.org"}"#)
      .expect(200)
    #expect(begun.header("set-cookie")?.contains("; Secure;") == true)
  }

  @Test func `In development mode, a cookie is not Secure if the request names this machine and passed no proxy`()
    async throws
  {
    let world = try EndpointWorld(.yapt, cookieSecurity: .development)
    let router = try EndpointRouter(world.endpoints.routes)
    func setCookie(_ fields: [(String, String)], isEncrypted: Bool = false) async throws -> String {
      var headers = EndpointHeaders()
      headers.add("content-type", "application/json")
      headers.add("origin", "https://raxx.app")
      for (name, value) in fields { headers.add(name, value) }
      let answer = await router.respond(
        to: EndpointRequest(
          method: .post, target: try RequestTarget("/api/auth/login/generate-options".utf8), headers: headers,
          body: Array(#"{"username":"ada@example.org"}"#.utf8), peer: .loopback, isEncrypted: isEncrypted,
          receivedAt: world.console.time))
      return try #require(answer.headers["set-cookie"])
    }
    for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "127.1.2.3:1"] {
      #expect(try await !setCookie([("host", host)]).contains("Secure"), "\(host)")
      #expect(try await setCookie([("host", host)], isEncrypted: true).contains("; Secure"), "\(host)")
      for name in ["via", "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"] {
        #expect(try await setCookie([("host", host), (name, "")]).contains("; Secure"), "\(host) \(name)")
      }
    }
    let others = [
      "raxx.app", "api.raxx.app:443", "localhost.raxx.app", "192.0.2.1:80", "[2001:db8::1]", "[::1", "::1", "",
      "127.0.0.1.raxx.app", "localhost:1:2", "[::1]raxx.app", "localhost:raxx.app",
    ]
    for host in others {
      #expect(try await setCookie([("host", host)]).contains("; Secure"), "\(host)")
    }
    #expect(try await setCookie([]).contains("; Secure"))
    #expect(try await setCookie([("host", "localhost"), ("host", "raxx.app")]).contains("; Secure"))
  }

  @Test func `A page of a foreign origin cannot send a request with cookies`() async throws {
    let world = try EndpointWorld(.yapt)
    let foreign: [[(String, String)]] = [
      [("Origin", "https://evil.example")], [("Origin", "null")], [("Origin", "https://raxx.app.evil.example")],
      [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Sec-Fetch-Site", "")],
      [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")],
      [("Origin", "https://raxx.app"), ("Origin", "https://evil.example")],
      [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")],
    ]
    for fields in foreign {
      for (endpoint, contract) in world.endpoints.served where contract.method != "GET" {
        let target = try world.path(endpoint.name, "AAAA")
        try await world.send(contract.method, target, "{}", fields).expect(403, "http.origin-refused")
      }
    }
    try await send(world, "GET", "/api/auth/me", origin: nil).expect(401, "session.unknown")
  }

  @Test func `A page of an allowed origin, a user's navigation and a client without a page send requests with cookies`()
    async throws
  {
    let world = try EndpointWorld(.yapt)
    let own: [[(String, String)]] = [
      [], [("Origin", "https://raxx.app")], [("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "none")],
      [("Sec-Fetch-Site", "same-site"), ("Origin", "https://raxx.app")],
      [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://raxx.app")],
    ]
    for fields in own {
      try await world.send("POST", "/api/auth/logout", nil, fields).expect(401, "session.unknown")
    }
  }

  @Test func `Each request of Raxx chooses a cookie or a bearer token`() async throws {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    func signIn(_ fields: [(String, String)]) async throws -> Answer {
      let options = try await world.send("POST", "/api/auth/login/options", "{}", fields).expect(200)
      let cookies = options.cookies.map { ("Cookie", "\($0.key)=\($0.value)") }
      return try await world.send(
        "POST", "/api/auth/login/verify", ada.person.get(options.body), fields + cookies
      ).expect(200)
    }
    let page = ("Sec-Fetch-Site", "same-origin")
    for fields in [[], [("Passkey-Tokens", "bearer"), page], [("Sec-Fetch-Site", "cross-site")]] {
      let answer = try await signIn(fields)
      #expect(try !answer["token"].isEmpty)
      #expect(answer.cookies.isEmpty)
    }
    for fields in [[page], [("Passkey-Tokens", "cookie")]] {
      let answer = try await signIn(fields)
      #expect(!answer.body.contains("\"token\""))
      let cookie = try #require(answer.cookies["__Host-raxx.session"])
      let me = try await world.send("GET", "/api/auth/me", nil, [("Cookie", "__Host-raxx.session=\(cookie)")])
      #expect(try me.expect(200)["account", "email"] == "ada@example.org")
      // A token and a cookie of different sessions are refused, and equal ones are one session.
      let both = [("Cookie", "__Host-raxx.session=\(cookie)"), ("Authorization", "Bearer \(ada.token ?? "")")]
      try await world.send("GET", "/api/auth/me", nil, both).expect(400, "http.session-ambiguous")
      let same = [("Cookie", "__Host-raxx.session=\(cookie)"), ("Authorization", "Bearer \(cookie)")]
      try await world.send("GET", "/api/auth/me", nil, same).expect(200)
    }
  }

  @Test func `bearer tokens do not work on cookie routes, nor cookies on bearer routes`() async throws {
    let raxx = try EndpointWorld()
    let ada = try await Visitor.signedIn(raxx, "ada@example.org")
    let token = try #require(ada.token)
    try await raxx.send("GET", "/api/auth/me", nil, [("Cookie", "yapt.sid=\(token)")]).expect(401, "session.unknown")
    let yapt = try EndpointWorld(.yapt)
    try await yapt.send("GET", "/api/auth/me", nil, [("Authorization", "Bearer \(token)")])
      .expect(401, "session.unknown")
  }

  /// A server whose sessions end after 15 minutes and are renewed by a cookie, and the cookies of a new account.
  private func renewableWorld() async throws -> (EndpointWorld, cookies: String, refresh: String) {
    var profile = ServiceProfile.raxx
    profile.sessions.deliveries = [.cookie]
    profile.sessions.cookie.name = "raxx"
    profile.sessions.refresh = .init()
    let world = try EndpointWorld(profile)
    let made = try await signUp(world, "ada@example.org").expect(200)
    let refresh = "__Host-raxx.refresh=\(try #require(made.cookies["__Host-raxx.refresh"]))"
    return (world, "__Host-raxx=\(try #require(made.cookies["__Host-raxx"])); \(refresh)", refresh)
  }

  private func signUp(_ world: EndpointWorld, _ email: String, cookies: String? = nil) async throws -> Answer {
    let begun = try await send(world, "POST", "/api/auth/register/options", #"{"email":"\#(email)"}"#).expect(200)
    let ceremony = "__Host-raxx.ceremony=\(try #require(begun.cookies["__Host-raxx.ceremony"]))"
    return try await send(
      world, "POST", "/api/auth/register/verify", Person().create(begun.body),
      cookie: [ceremony, cookies].compactMap(\.self).joined(separator: "; "))
  }

  @Test func `signing out after the session token has expired ends what the refresh token would renew`() async throws {
    let (world, cookies, refresh) = try await renewableWorld()
    world.pass(16 * 60)
    try await send(world, "GET", "/api/auth/me", cookie: cookies).expect(401, "session.expired")
    let answer = try await send(world, "POST", "/api/auth/logout", cookie: cookies).expect(204)
    #expect(answer.cookies["__Host-raxx.refresh"] == "")
    try await send(world, "POST", "/api/auth/refresh", cookie: refresh).expect(401, "session.renewal-refused")
    // Once more, and of a session that is unknown.
    try await send(world, "POST", "/api/auth/logout", cookie: cookies).expect(204)
    try await send(world, "POST", "/api/auth/logout").expect(401, "session.unknown")
  }

  @Test func `a sign-in ends the session that a refresh cookie would renew`() async throws {
    let (world, cookies, refresh) = try await renewableWorld()
    world.pass(16 * 60)
    try await signUp(world, "bob@example.org", cookies: cookies).expect(200)
    try await send(world, "POST", "/api/auth/refresh", cookie: refresh).expect(401, "session.renewal-refused")
  }

  @Test(arguments: [nil, "raxx.app"])
  func `renewing a Raxx session sets a new cookie`(domain: String?) async throws {
    var profile = ServiceProfile.raxx
    profile.sessions.deliveries = [.cookie]
    profile.sessions.cookie.name = "raxx"
    profile.sessions.cookie.domain = domain
    if domain != nil { profile.sessions.cookie.prefix = .none }
    // Only the cookie that other hosts get has no prefix.
    let sessionCookie = domain == nil ? "__Host-raxx" : "raxx"
    profile.sessions.refresh = .init()
    let world = try EndpointWorld(profile)
    let begun = try await send(world, "POST", "/api/auth/register/options", #"{"email":"ada@example.org"}"#).expect(200)
    let cookie = "__Host-raxx.ceremony=\(try #require(begun.cookies["__Host-raxx.ceremony"]))"
    let made = try await send(
      world, "POST", "/api/auth/register/verify", Person().create(begun.body), cookie: cookie
    ).expect(200)
    let refresh = "__Host-raxx.refresh=\(try #require(made.cookies["__Host-raxx.refresh"]))"
    #expect(
      made.headers("set-cookie").contains { $0.hasPrefix("__Host-raxx.refresh=") && $0.contains("SameSite=Strict") })
    let renewed = try await send(world, "POST", "/api/auth/refresh", cookie: refresh).expect(200)
    let session = "\(sessionCookie)=\(try #require(renewed.cookies[sessionCookie]))"
    try await send(world, "GET", "/api/auth/me", cookie: session).expect(200)
    world.pass(11)
    try await send(world, "POST", "/api/auth/refresh", cookie: refresh).expect(401, "session.renewal-refused")
  }

  @Test func `Aiday accounts wait for approval, and its devices have their own path`() async throws {
    let world = try EndpointWorld(.aiday)
    let ada = try Visitor(world, "ada@example.org")
    let made = try await ada.signUp().expect(202)
    #expect(try made["user", "approvalStatus"] == "pending")
    let root = try await Visitor.administrator(world)
    try await root.askConfirmed(.approveUser, made["user", "id"]).expect(200)
    var approved = ada
    let signedIn = try await approved.signIn().expect(200)
    #expect(try !signedIn["tokens", "refreshToken"].isEmpty)
    approved.take(signedIn)
    let device = #"{"token":"abc","platform":"ios","timezone":"Europe/Berlin"}"#
    try await approved.ask("POST", "/api/v1/notifications/devices", device).expect(200)
    try await approved.ask("DELETE", "/api/v1/notifications/devices", #"{"token":"abc"}"#).expect(204)
    world.pass(16 * 60)
    try await approved.ask(.me).expectNot(200..<300)
  }
}
