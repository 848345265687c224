// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The router, with the rules of the framework: middleware counts for routes that are added after it, and that of the router
// itself also for paths without a route.

public import HTTPTypesStandIn
public import LoggingStandIn
public import NIOCoreStandIn

public protocol ResponseGenerator: SendableMetatype {
  func response(from request: Request, context: some RequestContext) throws -> Response
}

extension Response: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response { self }
}

extension String: ResponseGenerator {
  public func response(from request: Request, context: some RequestContext) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: utf8)))
  }
}

public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
  associatedtype Input
  associatedtype Output
  associatedtype Context

  func handle(
    _ input: Input, context: Context, next: (Input, Context) async throws -> Output
  ) async throws -> Output
}

public protocol RouterMiddleware<Context>: MiddlewareProtocol where Input == Request, Output == Response {}

public typealias Respond<Context> = @Sendable (Request, Context) async throws -> Response

public protocol HTTPResponder<Context>: Sendable {
  associatedtype Context

  @Sendable func respond(to request: Request, context: Context) async throws -> Response
}

public final class Router<Context: RequestContext>: RouterMethods {
  private var middlewares: [any MiddlewareProtocol<Request, Response, Context>] = []
  private var routes: [String: Respond<Context>] = [:]

  public init(context: Context.Type) {}

  @discardableResult
  public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
    middlewares.append(middleware)
    return self
  }

  public func on(_ path: String, _ method: HTTPRequest.Method, responder: @escaping Respond<Context>) {
    routes["\(method.rawValue) /\(path)"] = chained(middlewares, responder)
  }

  public func buildResponder() -> RouterResponder<Context> {
    RouterResponder(
      routes: routes, notFound: chained(middlewares) { (_, _) in throw HTTPError(.notFound) })
  }
}

public struct RouterResponder<Context: RequestContext>: HTTPResponder {
  let routes: [String: Respond<Context>]
  let notFound: Respond<Context>

  public func respond(to request: Request, context: Context) async throws -> Response {
    let path = request.head.path?.prefix { $0 != "?" } ?? "/"
    do {
      return try await (routes["\(request.method.rawValue) \(path)"] ?? notFound)(request, context)
    } catch let error as any HTTPResponseError {
      return Response(status: error.status)
    }
  }
}

public protocol RouterMethods<Context>: AnyObject {
  associatedtype Context: RequestContext

  func on(_ path: String, _ method: HTTPRequest.Method, responder: @escaping Respond<Context>)
}

extension RouterMethods {
  public func group(_ path: String = "") -> RouterGroup<Context> { RouterGroup(path, on) }

  public func group<Child: ChildRequestContext>(
    _ path: String = "", context: Child.Type
  ) -> RouterGroup<Child> where Child.ParentContext == Context {
    RouterGroup(path) { (path, method, responder) in
      self.on(path, method) { (request, context) in try await responder(request, Child(context: context)) }
    }
  }

  @discardableResult
  public func get(
    _ path: String = "", use handler: @escaping @Sendable (Request, Context) async throws -> some ResponseGenerator
  ) -> Self {
    on(path, .get) { try await handler($0, $1).response(from: $0, context: $1) }
    return self
  }

  @discardableResult
  public func post(
    _ path: String = "", use handler: @escaping @Sendable (Request, Context) async throws -> some ResponseGenerator
  ) -> Self {
    on(path, .post) { try await handler($0, $1).response(from: $0, context: $1) }
    return self
  }
}

public final class RouterGroup<Context: RequestContext>: RouterMethods {
  private let path: String
  private let add: (String, HTTPRequest.Method, @escaping Respond<Context>) -> Void
  private var middlewares: [any MiddlewareProtocol<Request, Response, Context>] = []

  init(_ path: String, _ add: @escaping (String, HTTPRequest.Method, @escaping Respond<Context>) -> Void) {
    self.path = path
    self.add = add
  }

  @discardableResult
  public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> RouterGroup {
    middlewares.append(middleware)
    return self
  }

  public func on(_ path: String, _ method: HTTPRequest.Method, responder: @escaping Respond<Context>) {
    add(self.path.isEmpty ? path : "\(self.path)/\(path)", method, chained(middlewares, responder))
  }
}

private func chained<Context>(
  _ middlewares: [any MiddlewareProtocol<Request, Response, Context>], _ responder: @escaping Respond<Context>
) -> Respond<Context> {
  middlewares.reversed().reduce(responder) { (next, middleware) in
    { (request, context) in try await middleware.handle(request, context: context, next: next) }
  }
}

public struct BindAddress: Sendable {
  public static func hostname(_ host: String = "127.0.0.1", port: Int = 8_080) -> BindAddress { BindAddress() }
}

public struct ApplicationConfiguration: Sendable {
  public init(address: BindAddress = .hostname()) {}
}

public struct Application<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  private let responder: Responder
  public let logger = Logger(label: "Hummingbird")

  public init(responder: Responder, configuration: ApplicationConfiguration = ApplicationConfiguration()) {
    self.responder = responder
  }

  public init<Context: RequestContext>(
    router: Router<Context>, configuration: ApplicationConfiguration = ApplicationConfiguration()
  ) where Responder == RouterResponder<Context> {
    self.init(responder: router.buildResponder(), configuration: configuration)
  }

  /// The stand-in has no port to serve: it returns at once.
  public func runService() async throws {}

  /// Answers a request as the server does: an error of the responder becomes an empty response, and no line in the log.
  public func respond(to request: Request, on channel: any Channel) async -> Response {
    do {
      return try await responder.respond(
        to: request, context: .init(source: ApplicationRequestContextSource(channel: channel, logger: logger)))
    } catch {
      return Response(status: .internalServerError)
    }
  }
}
