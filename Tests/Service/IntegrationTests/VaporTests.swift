// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import Testing
import WebAuthnAuthenticator
import WebAuthnClient

// [shown]
import VaporStandIn
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
/// Your tables, for example Fluent models. `take` deletes the ceremony in the statement that reads it, and throws
/// `Abort(.unauthorized)` if it is missing. `store` fails if the stored credential is no longer `old`.
protocol PasskeyTables: Sendable {
  func account(_ handle: UserHandle) async throws -> Account?
  func keep(_ ceremony: [UInt8], for session: String) async throws
  func take(_ session: String) async throws -> [UInt8]
  func credential(_ id: CredentialID) async throws -> StoredCredential?
  func credentials(of user: UserHandle) async throws -> [StoredCredential]
  func store(_ credential: StoredCredential, replacing old: StoredCredential?) async throws
}

/// Your account. The handle is 16 random bytes from the time when the account was made.
struct Account: SessionAuthenticatable {
  let handle: UserHandle
  let email: String
  var sessionID: String { handle.description }
}

/// Finds the account of a session, for `request.auth`.
struct AccountSessions: AsyncSessionAuthenticator {
  typealias User = Account
  let tables: any PasskeyTables

  func authenticate(sessionID: String, for request: Request) async throws {
    if let account = try await tables.account(UserHandle(Base64URL.decode(sessionID))) { request.auth.login(account) }
  }
}
// [until here]

// [shown]
/// Adds passkeys to your accounts.
struct PasskeyRoutes: RouteCollection {
  let relyingParty: RelyingParty
  let tables: any PasskeyTables

  func boot(routes: any RoutesBuilder) throws {
    let passkey = routes.grouped("passkey")
    passkey.post("register", "options") { (request) async throws -> Response in
      let account = try request.auth.require(Account.self)
      let begun = try await relyingParty.beginRegistration(
        of: UserEntity(id: account.handle, name: account.email, displayName: account.email),
        excluding: tables.credentials(of: account.handle).map(\.record.descriptor),
        binding: CeremonyBinding(session(request)), at: .now)
      try await tables.keep(begun.pending.bytes, for: session(request))
      return json(begun.options.jsonText)
    }
    passkey.post("register", "verify") { (request) async throws -> HTTPStatus in
      let response = try request.content.decode(RegistrationResponse.self)
      let pending = try await tables.take(session(request))
      let existing = try await CredentialLookup(tables.credential(response.id))
      let result = try refusing(request) {
        try relyingParty.finishRegistration(
          response, pending: PendingRegistration(taken: pending), binding: CeremonyBinding(session(request)),
          existing: existing, at: .now)
      }
      try await tables.store(result.credential, replacing: nil)
      return .noContent
    }
    addSignIn(to: passkey)
  }

  /// The random value of this browser's session.
  func session(_ request: Request) -> String {
    let value = request.session.data["passkey"] ?? UUID().uuidString
    request.session.data["passkey"] = value
    return value
  }
}
// [until here]

// [shown]
extension PasskeyRoutes {
  func addSignIn(to passkey: any RoutesBuilder) {
    passkey.post("login", "options") { (request) async throws -> Response in
      let begun = try relyingParty.beginAuthentication(
        of: .fromResponse, binding: CeremonyBinding(session(request)), at: .now)
      try await tables.keep(begun.pending.bytes, for: session(request))
      return json(begun.options.jsonText)
    }
    passkey.post("login", "verify") { (request) async throws -> HTTPStatus in
      let response = try request.content.decode(AuthenticationResponse.self)
      let pending = try await tables.take(session(request))
      guard let stored = try await tables.credential(response.id) else { throw Abort(.unauthorized) }
      let result = try refusing(request) {
        try relyingParty.finishAuthentication(
          response, pending: PendingAuthentication(taken: pending), binding: CeremonyBinding(session(request)),
          credential: stored, at: .now)
      }
      try await tables.store(result.credential, replacing: stored)
      guard let account = try await tables.account(result.user) else { throw Abort(.unauthorized) }
      // Renews the session: its old ID and value may be known to an attacker.
      request.session.id = nil
      request.session.data["passkey"] = nil
      request.auth.login(account)
      return .noContent
    }
  }

  func json(_ text: String) -> Response {
    Response(status: .ok, headers: ["Content-Type": "application/json"], body: .init(string: text))
  }

  /// Answers 401 if a ceremony fails, and logs the code and the step of the standard.
  func refusing<Result>(_ request: Request, _ finish: () throws -> Result) throws -> Result {
    do { return try finish() } catch let error as CeremonyError {
      request.logger.notice("\(error)")
      throw Abort(.unauthorized)
    }
  }
}
// [until here]

private actor Tables: PasskeyTables {
  private let accounts: [Account]
  private var pending: [String: [UInt8]] = [:]
  private var credentials: [CredentialID: StoredCredential] = [:]

  init(accounts: [Account]) {
    self.accounts = accounts
  }

  func account(_ handle: UserHandle) -> Account? { accounts.first { $0.handle == handle } }

  func keep(_ ceremony: [UInt8], for session: String) { pending[session] = ceremony }

  func take(_ session: String) throws -> [UInt8] {
    guard let ceremony = pending.removeValue(forKey: session) else { throw Abort(.unauthorized) }
    return ceremony
  }

  func credential(_ id: CredentialID) -> StoredCredential? { credentials[id] }

  func credentials(of user: UserHandle) -> [StoredCredential] { credentials.values.filter { $0.user == user } }

  func store(_ credential: StoredCredential, replacing old: StoredCredential?) {
    credentials[credential.record.id] = credential
  }
}

private struct StoppedClock: AuthenticatorClock {
  var now: Timestamp { Timestamp(secondsSince1970: 1_800_000_000) }
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

  init() throws {
    ada = Account(handle: try UserHandle([1, 2, 3]), email: "ada@raxx.app")
    let tables = Tables(accounts: [ada])
    try app.grouped(AccountSessions(tables: tables)).register(
      collection: PasskeyRoutes(
        relyingParty: RelyingParty(
          id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")]),
        tables: tables))
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    browser = Client(
      origin: try Origin("https://raxx.app"),
      authenticator: try SoftwareAuthenticator(
        vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StoppedClock()),
      interaction: FirstPasskey())
  }

  private func post(
    _ path: String, _ body: String = "", _ session: Session, by account: Account? = nil
  ) async throws -> Response {
    try #require(
      await app.respond(to: Request(url: "/passkey/\(path)", body: body, user: account, session: session)))
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
    #expect(await app.respond(to: request)?.status == .unauthorized)
    // The code, then Vapor's line.
    #expect(request.logger.notices.count == 2)
  }

  @Test(arguments: [("{", 400), (String(repeating: " ", count: 16_384), 413)])
  func `a malformed and a large body are refused, and logged`(body: String, status: Int) async throws {
    let session = Session()
    _ = try await post("login/options", "", session)
    let request = Request(url: "/passkey/login/verify", body: body, session: session)
    #expect(await app.respond(to: request)?.status.code == UInt(status))
    #expect(request.logger.notices.count == 1)
  }

  @Test func `only a signed-in user begins a registration`() async throws {
    #expect(try await post("register/options", "", Session()).status == .unauthorized)
  }
}
