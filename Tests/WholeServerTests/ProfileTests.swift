// SPDX-License-Identifier: Apache-2.0

import ServiceTestSupport
import Testing

/// The sign-in of each profile, with the built program.
struct ProfileTests {
  private static let origin = ("Origin", "https://raxx.app")

  private func serve(_ profile: String) async throws -> (ServerPlace, ServerProcess, Line) {
    let place = try await ServerPlace(.sqlite(), ["--profile", profile])
    let server = try await ServerProcess.start(place)
    return (place, server, Line(to: server.port))
  }

  @Test func `Raxx: sign up, sign in, confirm, sign out, erase`() async throws {
    let (place, server, line) = try await serve("raxx")
    let ada = try Client(at: server.port, Ledger())
    let first = try await ada.signUp()
    let token = try await ada.signIn()
    let me = try await line.ask("GET", "/api/auth/me", fields: Client.fields(token)).expect(200)
    #expect(try me["account", "email"] == ada.email)
    #expect(me.header("session-expires-at") != nil)
    try await ada.addPasskey(token)
    let passkeys = try await line.ask("GET", "/api/auth/credentials", fields: Client.fields(token)).expect(200)
    #expect(try passkeys.count("credentials") == 2)
    try await line.ask("POST", "/api/devices/apns", #"{"token":"abc"}"#, fields: Client.fields(token)).expect(200)
    try await line.ask("DELETE", "/api/auth/sessions?others=true", fields: Client.fields(token)).expect(200)
    try await line.ask("GET", "/api/auth/me", fields: Client.fields(first)).expect(401, "session.unknown")
    try await line.ask("DELETE", "/api/account", fields: Client.fields(token)).expect(401, "step-up.required")
    try await line.ask("GET", "/api/account/export", fields: Client.fields(token)).expect(401, "step-up.required")
    try await ada.signOut(token)
    try await line.ask("GET", "/api/auth/me", fields: Client.fields(token)).expect(401, "session.unknown")
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }

  @Test func `Yapt: cookies for the ceremony and the session`() async throws {
    let (place, server, line) = try await serve("yapt")
    let person = try Person()
    func ask(_ method: String, _ target: String, _ body: String? = nil, cookie: String? = nil) async throws -> Answer {
      let fields = [Self.origin] + (cookie.map { [("Cookie", "yapt.sid=\($0)")] } ?? [])
      return try await line.ask(method, target, body, fields: fields)
    }
    let name = #"{"username":"ada@example.org"}"#
    let begun = try await ask("POST", "/api/auth/register/generate-options", name).expect(200)
    let made = try await ask(
      "POST", "/api/auth/register/verify", person.create(begun.body), cookie: begun.cookies["yapt.sid"]
    ).expect(200)
    #expect(made.body.hasPrefix(#"{"verified":true"#))
    try await ask("POST", "/api/auth/logout", cookie: made.cookies["yapt.sid"]).expect(204)

    let options = try await ask("POST", "/api/auth/login/generate-options", name).expect(200)
    let signedIn = try await ask(
      "POST", "/api/auth/login/verify", person.get(options.body), cookie: options.cookies["yapt.sid"]
    ).expect(200)
    let cookie = try #require(signedIn.cookies["yapt.sid"])
    #expect(try await ask("GET", "/api/auth/me", cookie: cookie)["user", "username"] == "ada@example.org")
    try await line.ask("POST", "/api/auth/logout", fields: [("Cookie", "yapt.sid=\(cookie)")])
      .expect(403, "http.origin-refused")
    try await ask("POST", "/api/auth/logout", cookie: cookie).expect(204)
    try await ask("GET", "/api/auth/me", cookie: cookie).expect(401, "session.unknown")
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }

  @Test func `Aiday: an approved account, and a renewed session`() async throws {
    let (place, server, line) = try await serve("aiday")
    let person = try Person()
    let email = #"{"email":"ada@example.org"}"#
    let begun = try await line.ask("POST", "/api/v1/auth/register/options", email).expect(200)
    let made = try await line.ask("POST", "/api/v1/auth/register/verify", person.create(begun.body)).expect(202)
    #expect(try made["user", "state"] == "pending")
    func signIn() async throws -> Answer {
      let options = try await line.ask("POST", "/api/v1/auth/login/options", email).expect(200)
      return try await line.ask("POST", "/api/v1/auth/login/verify", person.get(options.body))
    }
    try await signIn().expect(403, "sign-in.account-pending")
    _ = try await place.run("user", "approve", "ada@example.org")
    let signedIn = try await signIn().expect(200)
    let refresh = #"{"refreshToken":"\#(try signedIn["refreshToken"])"}"#
    let renewed = try await line.ask("POST", "/api/v1/auth/refresh", refresh).expect(200)
    let token = try renewed["token"]
    try await line.ask("POST", "/api/v1/notifications/devices", #"{"token":"abc"}"#, fields: Client.fields(token))
      .expect(200)
    // Reusing a token whose successor was used revokes the family.
    let next = #"{"refreshToken":"\#(try renewed["refreshToken"])"}"#
    try await line.ask("POST", "/api/v1/auth/refresh", next).expect(200)
    try await line.ask("POST", "/api/v1/auth/refresh", refresh).expect(401, "session.renewal-refused")
    #expect(try await line.ask("GET", "/api/v1/auth/me", fields: Client.fields(token)).status == 401)
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }
}
