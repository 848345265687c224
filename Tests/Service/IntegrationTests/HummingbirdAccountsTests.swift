// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import HummingbirdStandIn
@testable import IntegrationPages
import LoggingStandIn
import PasskeyCrypto
import PasskeyServiceTestSupport
import PostgresNIOStandIn
import Testing
import WebAuthnRelyingParty

private actor Accounts: UserAccounts {
  private var all: [String: UserAccount] = [:]

  func add(_ account: UserAccount) { all[account.handle] = account }
  func account(_ handle: UserHandle) -> UserAccount? { all[handle.description] }
}

/// The page's routes, with the tables of the page on PostgresNIO.
@Suite struct HummingbirdAccountsTests {
  private let app: Application<RouterResponder<SessionContext>>

  init() async throws {
    let tables = PostgresTables(client: PostgresClient())
    try await tables.create()
    let routes = PasskeyRoutes(
      relyingParty: try RelyingParty(
        id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")]),
      tables: tables, accounts: Accounts(), store: MemoryPersistDriver())
    app = Application(router: routes.router())
  }

  private func send(
    _ method: String, _ target: String, _ body: String = "", in session: String = ""
  ) async throws -> (status: Int, body: String, session: String) {
    let response = try await app.answer(method, target, [(name: "cookie", value: session)], Array(body.utf8))
    let cookie = response.pairs.first { $0.name == "set-cookie" }?.value ?? ""
    #expect(cookie.isEmpty || cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax"))
    return (response.status.code, response.text, String(cookie.prefix { $0 != ";" }))
  }

  @Test func `a user signs up and in, and uses a route for signed-in users`() async throws {
    let ada = try Person()
    let creation = try await send("POST", "/passkey/register/options", #"{"name":"Ada"}"#)
    let created = try await ada.create(creation.body)
    #expect(try await send("POST", "/passkey/register/verify", created).status == 401)
    let registered = try await send("POST", "/passkey/register/verify", created, in: creation.session)
    #expect(registered.status == 204 && registered.session != creation.session)
    #expect(try await send("GET", "/hello", in: registered.session).body == "Hello, Ada")

    let request = try await send("POST", "/passkey/login/options")
    let response = try await ada.get(request.body)
    let signedIn = try await send("POST", "/passkey/login/verify", response, in: request.session)
    #expect(signedIn.status == 204 && signedIn.session != request.session)
    #expect(try await send("GET", "/hello", in: signedIn.session).body == "Hello, Ada")
    // Neither the session of the options nor a repeated response is signed in.
    #expect(try await send("GET", "/hello", in: request.session).status == 401)
    #expect(try await send("POST", "/passkey/login/verify", response, in: request.session).status == 401)
  }

  @Test func `a sign-in ends the session that the browser had`() async throws {
    let (ada, eve) = (try Person(), try Person())
    let creation = try await send("POST", "/passkey/register/options", #"{"name":"Ada"}"#)
    let first = try await send(
      "POST", "/passkey/register/verify", try await ada.create(creation.body), in: creation.session)

    // The options end nothing: the user may cancel.
    let request = try await send("POST", "/passkey/login/options", in: first.session)
    #expect(try await send("GET", "/hello", in: first.session).status == 200)
    let second = try await send("POST", "/passkey/login/verify", try await ada.get(request.body), in: request.session)
    #expect(second.status == 204 && second.session != first.session)
    #expect(try await send("GET", "/hello", in: first.session).status == 401)
    #expect(try await send("GET", "/hello", in: second.session).body == "Hello, Ada")

    let another = try await send("POST", "/passkey/register/options", #"{"name":"Eve"}"#, in: second.session)
    let third = try await send(
      "POST", "/passkey/register/verify", try await eve.create(another.body), in: another.session)
    #expect(try await send("GET", "/hello", in: second.session).status == 401)
    #expect(try await send("GET", "/hello", in: third.session).body == "Hello, Eve")

    // A value that this server has not given is not used.
    let planted = try await send("POST", "/passkey/login/options", in: "session=planted")
    #expect(planted.session != "session=planted")
  }

  @Test func `refused, malformed and large requests are logged`() async throws {
    let person = try Person()
    let creation = try await send("POST", "/passkey/register/options", #"{"name":"Ada"}"#)
    _ = try await person.create(creation.body)
    let request = try await send("POST", "/passkey/login/options")
    let response = try await person.get(request.body)
    #expect(try await send("POST", "/passkey/login/verify", response, in: request.session).status == 401)
    #expect(app.logger.notices.count == 1)
    #expect(try await send("POST", "/passkey/login/verify", "{").status == 400)
    #expect(app.logger.notices.count == 2)
    let large = String(repeating: " ", count: 65_537)
    #expect(try await send("POST", "/passkey/login/verify", large).status == 413)
    #expect(app.logger.notices.count == 3)
    #expect(try await send("GET", "/hello").status == 401)
  }
}
