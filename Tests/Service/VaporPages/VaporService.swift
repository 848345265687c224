// SPDX-License-Identifier: Apache-2.0

// [shown]
import Passkeys
import VaporStandIn
// [until here]

// [shown]
/// Answers the requests for the sign-in service, and passes all others on.
struct PasskeyMiddleware: AsyncMiddleware {
  let passkeys: EndpointResponder

  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
    guard passkeys.serves(request.url.string) else { return try await next.respond(to: request) }
    return Response(await passkeys.respond { try await request.received(withBody: true) })
  }
}

/// The session of a request, for `request.auth`.
struct SignedIn: Authenticatable {
  let session: AuthenticatedSession
}

/// Admits requests with a session, or with a session and a confirmation.
struct RequirePasskey: AsyncMiddleware {
  let passkeys: EndpointResponder
  let admission: EndpointResponder.Admission

  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
    do throws(EndpointResponder.RefusedRequest) {
      // Only a confirmation is for the bytes of the body.
      let session = try await passkeys.admit(with: admission) {
        try await request.received(withBody: admission == .stepUp)
      }
      request.auth.login(SignedIn(session: session))
    } catch { return Response(error.response) }
    return try await next.respond(to: request)
  }
}
// [until here]

// [shown]
extension Request {
  /// The request as the library takes it. A body that was read stays for the route.
  func received(withBody: Bool) async throws -> EndpointRequest {
    do {
      // Vapor refuses a body of `max` bytes.
      let body = withBody ? try await body.collect(max: EndpointRequest.maximumBodyLength + 1).get() : nil
      return try EndpointRequest(
        method.rawValue, url.string, headers: headers, body: body.map { [UInt8](buffer: $0) } ?? [],
        peer: remoteAddress?.ipAddress)
    } catch let error as Abort where error.status == .payloadTooLarge { throw EndpointError(.bodyTooLarge) }
  }
}

extension Response {
  convenience init(_ answer: EndpointResponse) {
    self.init(
      status: .init(statusCode: answer.status.rawValue),
      headers: .init(answer.headers.fields.map { ($0.name, $0.value) }),
      body: .init(buffer: ByteBuffer(bytes: answer.body)))
  }
}
// [until here]

// [shown]
/// The sign-in service, and two routes of your own.
func configure(_ app: Application, with service: AuthService) throws {
  let passkeys = try EndpointResponder(Endpoints(service: service)) { [logger = app.logger] in logger.notice("\($0)") }
  app.middleware.use(PasskeyMiddleware(passkeys: passkeys))
  app.grouped(RequirePasskey(passkeys: passkeys, admission: .session)).get("hello") { (request) in
    "Hello, \(try request.auth.require(SignedIn.self).session.account.name)"
  }
  app.grouped(RequirePasskey(passkeys: passkeys, admission: .stepUp)).post("orders") { (request) in
    "\(try request.auth.require(SignedIn.self).session.account.name) orders \(request.body.string ?? "")"
  }
}

/// Serves them at http://127.0.0.1:8080.
func runServer() async throws {
  let relyingParty = try RelyingParty(
    id: RelyingPartyID("localhost"), name: "Vapor", origins: [WebOrigin("http://localhost:8080")])
  // Keep the secret and the store as long as the accounts.
  let service = try AuthService(
    relyingParty: relyingParty, storage: SQLiteStorage.temporary(),
    decoys: DecoyCredentials(key: RandomSource.system.secret(32), for: relyingParty.id))
  try await service.claimStore(at: .now)
  let app = try await Application.make(.detect())
  try configure(app, with: service)
  try await app.execute()
  try await app.asyncShutdown()
}
// [until here]
