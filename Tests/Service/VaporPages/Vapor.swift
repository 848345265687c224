// SPDX-License-Identifier: Apache-2.0

// [shown]
import VaporStandIn
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
/// The two tables of passkeys. `take` deletes the ceremony in the statement that reads it, and returns an empty array for
/// a missing one. `store` returns false if the stored credential is no longer `old`.
protocol PasskeyTables: Sendable {
  func keep(_ ceremony: [UInt8], for session: String) async throws
  func take(_ session: String) async throws -> [UInt8]
  func credential(_ id: CredentialID) async throws -> StoredCredential?
  func credentials(of user: UserHandle) async throws -> [StoredCredential]
  func store(_ credential: StoredCredential, replacing old: StoredCredential?) async throws -> Bool
}

/// Your table of accounts.
protocol Accounts: Sendable {
  func account(_ handle: UserHandle) async throws -> Account?
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
  let accounts: any Accounts

  func authenticate(sessionID: String, for request: Request) async throws {
    guard let handle = UserHandle(base64URL: sessionID), let account = try await accounts.account(handle)
    else { return }
    request.auth.login(account)
  }
}
// [until here]

// [shown]
/// Adds passkeys to your accounts.
struct PasskeyRoutes: RouteCollection {
  let relyingParty: RelyingParty
  let tables: any PasskeyTables
  let accounts: any Accounts

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
      guard try await tables.store(result.credential, replacing: nil) else { throw Abort(.conflict) }
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
      // If another sign-in changes the credential meanwhile, verify the same response again.
      for _ in 1...3 {
        guard let stored = try await tables.credential(response.id) else {
          throw Abort(.unauthorized, reason: "unknown credential")
        }
        let result = try refusing(request) {
          try relyingParty.finishAuthentication(
            response, pending: PendingAuthentication(taken: pending), binding: CeremonyBinding(session(request)),
            credential: stored, at: .now)
        }
        guard try await tables.store(result.credential, replacing: stored) else { continue }
        guard let account = try await accounts.account(result.user) else { throw Abort(.unauthorized) }
        // Ends the old session, and begins another: an attacker may know its ID and value.
        if let old = request.session.id {
          try await request.application.sessions.driver.deleteSession(old, for: request).get()
        }
        request.session.id = nil
        request.session.data["passkey"] = nil
        request.auth.login(account)
        return .noContent
      }
      throw Abort(.serviceUnavailable)
    }
  }
}
// [until here]

// [shown]
extension PasskeyRoutes {
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
