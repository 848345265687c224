// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import FluentSQLStandIn
import PasskeyCrypto
import Testing
@testable import VaporPages
import VaporStandIn
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnFoundation
import WebAuthnRelyingParty

private struct OneAccount: Accounts {
  let account: Account

  func account(_ handle: UserHandle) -> Account? { handle == account.handle ? account : nil }
}

private struct StoppedClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}

private struct FirstPasskey: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { 0 }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}

@Suite struct VaporTests {
  private let app = Application()
  private let ada: Account
  private let browser: Client

  init() async throws {
    ada = Account(handle: try UserHandle([1, 2, 3]), email: "ada@raxx.app")
    let database = MemoryDatabase()
    try await CreatePasskeys().prepare(on: database)
    let accounts = OneAccount(account: ada)
    try app.grouped(AccountSessions(accounts: accounts)).register(
      collection: PasskeyRoutes(
        relyingParty: RelyingParty(
          id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")]),
        tables: FluentTables(sql: database), accounts: accounts))
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    browser = Client(
      origin: try WebOrigin("https://raxx.app"),
      authenticator: try SoftwareAuthenticator(
        vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StoppedClock()),
      interaction: FirstPasskey())
  }

  private func post(
    _ path: String, _ body: String = "", _ session: Session, by account: Account? = nil
  ) async throws -> Response {
    await app.respond(to: Request(url: "/passkey/\(path)", body: body, user: account, session: session))
  }

  @Test func `a user registers a passkey and signs in with it once`() async throws {
    let (here, there) = (Session(), Session(id: SessionID(string: "known to an attacker")))
    let creation = try await post("register/options", "", here, by: ada)
    #expect(creation.headers.map(\.value) == ["application/json"])
    let created = try await browser.create(CreationOptions(json: creation.body.string))
    #expect(try await post("register/verify", created.jsonText, here).status == .noContent)

    let request = try await post("login/options", "", there)
    let response = try await browser.get(RequestOptions(json: request.body.string)).jsonText
    #expect(try await post("login/verify", response, there).status == .noContent)
    #expect(there.id == nil && there.data["passkey"] == nil)
    #expect(app.sessions.driver.deleted == [SessionID(string: "known to an attacker")])
    #expect(try await post("login/verify", response, there).status == .unauthorized)

    let another = try await CreationOptions(json: post("register/options", "", there).body.string)
    #expect(another.user.id == ada.handle && another.excludeCredentials.count == 1)
  }

  @Test func `a response from another session is refused`() async throws {
    let (here, there) = (Session(), Session())
    let creation = try await post("register/options", "", here, by: ada)
    _ = try await post("login/options", "", there)
    let created = try await browser.create(CreationOptions(json: creation.body.string))
    let request = Request(url: "/passkey/register/verify", body: created.jsonText, session: there)
    #expect(await app.respond(to: request).status == .unauthorized)
    // The code, then Vapor's line.
    #expect(request.logger.notices.count == 2)
  }

  @Test(arguments: [("{", 400), (String(repeating: " ", count: 16_384), 413)])
  func `a malformed and a large body are refused, and logged`(body: String, status: Int) async throws {
    let session = Session()
    _ = try await post("login/options", "", session)
    let request = Request(url: "/passkey/login/verify", body: body, session: session)
    #expect(await app.respond(to: request).status.code == UInt(status))
    #expect(request.logger.notices.count == 1)
  }

  @Test func `a large body in one piece reaches the route`() async throws {
    let request = Request(
      url: "/passkey/login/verify", body: String(repeating: " ", count: 16_384), isInOnePiece: true)
    #expect(await app.respond(to: request).status == .badRequest)
  }

  @Test func `only a signed-in user begins a registration`() async throws {
    #expect(try await post("register/options", "", Session()).status == .unauthorized)
  }
}
