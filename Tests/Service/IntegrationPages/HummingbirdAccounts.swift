// SPDX-License-Identifier: Apache-2.0

// [shown]
import Foundation
import HTTPTypesStandIn
import HummingbirdStandIn
import LoggingStandIn
import NIOCoreStandIn
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

/// Your account. The handle is random, because it must not identify a person.
struct UserAccount: Codable, Sendable {
  let name: String
  let handle: String
}

/// Your table of accounts.
protocol UserAccounts: Sendable {
  func add(_ account: UserAccount) async throws
  func account(_ handle: UserHandle) async throws -> UserAccount?
}

/// Your request context.
struct SessionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The session of this browser.
  var session = ""
  var account: UserAccount?

  init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
// [until here]

// [shown]
/// Sessions: a random value in a cookie, and in the store who is signed in with it.
struct Sessions: RouterMiddleware {
  let store: any PersistDriver

  func handle(
    _ request: Request, context: SessionContext, next: (Request, SessionContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    if let session = request.cookies["session"]?.value {
      context.session = session
      context.account = try await store.get(key: "signed in: \(session)", as: UserAccount.self)
    }
    do { return try await next(request, context) } catch let error as CeremonyError {
      // The code and the step of the standard are for the log.
      context.logger.notice("\(error)")
      throw HTTPError(.unauthorized)
    } catch let error as FormatError {
      context.logger.notice("\(error)")
      throw HTTPError(.badRequest)
    } catch let error as NIOTooManyBytesError {
      context.logger.notice("\(error)")
      throw error
    }
  }
}

/// Admits signed-in users.
struct RequireAccount: RouterMiddleware {
  func handle(
    _ request: Request, context: SessionContext, next: (Request, SessionContext) async throws -> Response
  ) async throws -> Response {
    guard context.account != nil else { throw HTTPError(.unauthorized) }
    return try await next(request, context)
  }
}
// [until here]

// [shown]
/// Sign-up and sign-in with passkeys.
struct PasskeyRoutes: Sendable {
  let relyingParty: RelyingParty
  let tables: any PasskeyTables
  let accounts: any UserAccounts
  let store: any PersistDriver

  struct Name: Decodable { let name: String }

  func beginSignUp(_ request: Request, context: SessionContext) async throws -> Response {
    let name = try await request.decode(as: Name.self, context: context).name
    let user = UserEntity(id: try .random(), name: name, displayName: name)
    let session = session(of: context)
    let begun = try relyingParty.beginRegistration(of: user, binding: CeremonyBinding(session), at: .now)
    try await tables.keep(begun.pending.bytes, for: session)
    let account = UserAccount(name: name, handle: user.id.description)
    try await store.set(key: "new: \(session)", value: account, expires: .seconds(600))
    return json(begun.options.json, in: session)
  }

  func finishSignUp(_ request: Request, context: SessionContext) async throws -> Response {
    let response = try RegistrationResponse(json: await body(of: request))
    let taken = try await tables.take(context.session)
    let existing = try await CredentialLookup(tables.credential(response.id))
    let result = try relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: taken), binding: CeremonyBinding(context.session),
      existing: existing, at: .now)
    guard let account = try await store.get(key: "new: \(context.session)", as: UserAccount.self),
      try await tables.store(result.credential, replacing: nil)
    else { throw HTTPError(.conflict) }
    try await accounts.add(account)
    return try await signIn(account, ending: context.session)
  }
}
// [until here]

// [shown]
extension PasskeyRoutes {
  func beginSignIn(_ request: Request, context: SessionContext) async throws -> Response {
    let session = session(of: context)
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(session), at: .now)
    try await tables.keep(begun.pending.bytes, for: session)
    return json(begun.options.json, in: session)
  }

  func finishSignIn(_ request: Request, context: SessionContext) async throws -> Response {
    let response = try AuthenticationResponse(json: await body(of: request))
    let taken = try await tables.take(context.session)
    // If another sign-in changes the credential meanwhile, verify the same response again.
    for _ in 1...3 {
      guard let stored = try await tables.credential(response.id) else {
        context.logger.notice("unknown credential \(response.id)")
        throw HTTPError(.unauthorized)
      }
      let result = try relyingParty.finishAuthentication(
        response, pending: PendingAuthentication(taken: taken), binding: CeremonyBinding(context.session),
        credential: stored, at: .now)
      guard try await tables.store(result.credential, replacing: stored) else { continue }
      guard let account = try await accounts.account(result.user) else { throw HTTPError(.unauthorized) }
      return try await signIn(account, ending: context.session)
    }
    throw HTTPError(.serviceUnavailable)
  }

  /// Ends the browser's session, which an attacker may know, and begins another.
  private func signIn(_ account: UserAccount, ending former: String) async throws -> Response {
    try await store.remove(key: "signed in: \(former)")
    let session = UUID().uuidString
    try await store.set(key: "signed in: \(session)", value: account, expires: .seconds(86_400))
    return json([], in: session)
  }
}
// [until here]

// [shown]
extension PasskeyRoutes {
  /// The browser's session if a user is signed in, or else a new one: an attacker may have chosen the cookie.
  private func session(of context: SessionContext) -> String {
    context.account == nil ? UUID().uuidString : context.session
  }

  private func body(of request: Request) async throws -> [UInt8] {
    [UInt8](try await request.body.collect(upTo: 65_536).readableBytesView)
  }

  private func json(_ text: [UInt8], in session: String) -> Response {
    var response = Response(
      status: text.isEmpty ? .noContent : .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: text)))
    // Browsers send a secure cookie to http://localhost too.
    response.setCookie(Cookie(name: "session", value: session, path: "/", secure: true, sameSite: .lax))
    return response
  }

  func router() -> Router<SessionContext> {
    let router = Router(context: SessionContext.self)
    router.add(middleware: Sessions(store: store))
    let routes = router.group("passkey")
    routes.post("register/options", use: beginSignUp)
    routes.post("register/verify", use: finishSignUp)
    routes.post("login/options", use: beginSignIn)
    routes.post("login/verify", use: finishSignIn)
    // A route of your own for signed-in users.
    router.group().add(middleware: RequireAccount()).get("hello") { (_, context) in
      "Hello, \(context.account?.name ?? "")"
    }
    return router
  }
}
// [until here]
