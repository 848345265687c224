// SPDX-License-Identifier: Apache-2.0

// [shown]
import HTTPTypesStandIn
import HummingbirdStandIn
import LoggingStandIn
import NIOCoreStandIn
import Passkeys
// [until here]

// [shown]
/// Your request context.
struct AppContext: RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?
  /// The session, in routes behind `RequirePasskey`.
  var session: AuthenticatedSession?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    remoteAddress = source.channel.remoteAddress
  }
}

/// Answers the requests for the sign-in service, and passes all others on.
struct PasskeyMiddleware: RouterMiddleware {
  let passkeys: EndpointResponder

  func handle(
    _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
  ) async throws -> Response {
    guard passkeys.serves(request.head.path ?? "/") else { return try await next(request, context) }
    var request = request
    let response = Response(await passkeys.respond { try await request.received(in: context, withBody: true) })
    return request.method == .head ? response.createHeadResponse() : response
  }
}
// [until here]

// [shown]
/// The context of a route for signed-in users.
struct SignedInContext: ChildRequestContext {
  var coreContext: CoreRequestContextStorage
  let session: AuthenticatedSession

  init(context: AppContext) throws {
    guard let session = context.session else { throw HTTPError(.unauthorized) }
    coreContext = context.coreContext
    self.session = session
  }
}

/// Admits requests with a session, or with a session and a confirmation.
struct RequirePasskey: RouterMiddleware {
  let passkeys: EndpointResponder
  let admission: EndpointResponder.Admission

  func handle(
    _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
  ) async throws -> Response {
    var (request, context) = (request, context)
    do throws(EndpointResponder.RefusedRequest) {
      // Only a confirmation is for the bytes of the body.
      context.session = try await passkeys.admit(with: admission) { [context] in
        try await request.received(in: context, withBody: admission == .stepUp)
      }
    } catch { return Response(error.response) }
    return try await next(request, context)
  }
}
// [until here]

// [shown]
extension Request {
  /// The request as the library takes it. A body that was read stays for the route.
  mutating func received(in context: AppContext, withBody: Bool) async throws -> EndpointRequest {
    var fields = headers.map { (name: $0.name.rawName, value: $0.value) }
    // Hummingbird keeps the value of Host outside the header fields.
    if let host = head.authority { fields.append((name: "host", value: host)) }
    do {
      let body = withBody ? try await collectBody(upTo: EndpointRequest.maximumBodyLength) : ByteBuffer()
      return try EndpointRequest(
        method.rawValue, head.path ?? "/", headers: fields, body: body.readableBytesView,
        peer: context.remoteAddress?.ipAddress)
    } catch is NIOTooManyBytesError { throw EndpointError(.bodyTooLarge) }
  }
}

extension Response {
  init(_ answer: EndpointResponse) {
    var fields = HTTPFields()
    for field in answer.headers.fields {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    self.init(
      status: .init(code: answer.status.rawValue), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}
// [until here]

// [shown]
/// The sign-in service, and two routes of your own.
func appRouter(for service: AuthService, logger: Logger) throws -> Router<AppContext> {
  let passkeys = try EndpointResponder(Endpoints(service: service)) { logger.notice("\($0)") }
  let router = Router(context: AppContext.self)
  router.add(middleware: PasskeyMiddleware(passkeys: passkeys))
  router.group().add(middleware: RequirePasskey(passkeys: passkeys, admission: .session))
    .group(context: SignedInContext.self)
    .get("hello") { (_, context) in "Hello, \(context.session.account.name)" }
  router.group().add(middleware: RequirePasskey(passkeys: passkeys, admission: .stepUp))
    .group(context: SignedInContext.self)
    .post("orders") { (request, context) in
      let order = try await request.body.collect(upTo: EndpointRequest.maximumBodyLength)
      return "\(context.session.account.name) orders \(String(buffer: order))"
    }
  return router
}

/// Serves them at http://127.0.0.1:8080.
func runServer() async throws {
  let relyingParty = try RelyingParty(
    id: RelyingPartyID("localhost"), name: "Hummingbird", origins: [WebOrigin("http://localhost:8080")])
  // Keep the secret and the store as long as the accounts.
  let service = try AuthService(
    relyingParty: relyingParty, storage: SQLiteStorage.temporary(),
    decoys: DecoyCredentials(key: RandomSource.system.secret(32), for: relyingParty.id))
  try await service.claimStore(at: .now)
  let router = try appRouter(for: service, logger: Logger(label: "passkeys"))
  try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080))).runService()
}
// [until here]
