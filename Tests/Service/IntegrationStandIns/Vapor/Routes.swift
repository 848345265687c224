// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The routes of an application, with the rules of the framework: the middleware of the application counts also for paths
// without a route, and the body is collected behind all middleware.

public import LoggingStandIn
public import NIOHTTP1StandIn

public typealias RouteClosure = @Sendable (Request) async throws -> Response

struct ClosureResponder: AsyncResponder {
  let closure: RouteClosure

  func respond(to request: Request) async throws -> Response { try await closure(request) }
}

private func chained(_ middleware: [any AsyncMiddleware], _ closure: @escaping RouteClosure) -> RouteClosure {
  middleware.reversed().reduce(closure) { (next, middleware) in
    { (request) in try await middleware.respond(to: request, chainingTo: ClosureResponder(closure: next)) }
  }
}

public protocol RoutesBuilder: AnyObject {
  func on(_ method: HTTPMethod, _ path: [String], use closure: @escaping RouteClosure)
}

extension RoutesBuilder {
  public func grouped(_ path: String...) -> any RoutesBuilder { RouteGroup(path, [], in: self) }

  public func grouped(_ middleware: any AsyncMiddleware...) -> any RoutesBuilder {
    RouteGroup([], middleware, in: self)
  }

  public func register(collection: some RouteCollection) throws { try collection.boot(routes: self) }

  public func get<Encodable: AsyncResponseEncodable>(
    _ path: String..., use closure: @escaping @Sendable (Request) async throws -> Encodable
  ) {
    on(.GET, path) { try await closure($0).encodeResponse() }
  }

  public func post<Encodable: AsyncResponseEncodable>(
    _ path: String..., use closure: @escaping @Sendable (Request) async throws -> Encodable
  ) {
    on(.POST, path) { (request) in
      if request.body.data == nil { _ = try await request.body.collect(max: 16_384).get() }
      return try await closure(request).encodeResponse()
    }
  }
}

private final class RouteGroup: RoutesBuilder {
  private let path: [String]
  private let middleware: [any AsyncMiddleware]
  private let root: any RoutesBuilder

  init(_ path: [String], _ middleware: [any AsyncMiddleware], in root: any RoutesBuilder) {
    self.path = path
    self.middleware = middleware
    self.root = root
  }

  func on(_ method: HTTPMethod, _ path: [String], use closure: @escaping RouteClosure) {
    root.on(method, self.path + path, use: chained(middleware, closure))
  }
}

public protocol RouteCollection {
  func boot(routes: any RoutesBuilder) throws
}

public struct Environment: Sendable {
  public static func detect() throws -> Environment { Environment() }
}

/// One thread at a time uses an application here, so that nothing needs a lock.
public final class Application: RoutesBuilder, @unchecked Sendable {
  public final class Middlewares {
    fileprivate var all: [any AsyncMiddleware] = []

    public func use(_ middleware: any AsyncMiddleware) { all.append(middleware) }
  }

  public struct Sessions {
    public let driver = MemorySessions()
  }

  private var routes: [(method: HTTPMethod, path: [String], closure: RouteClosure)] = []
  public let middleware = Middlewares()
  public let sessions = Sessions()
  public let logger = Logger(label: "")

  public init() {}

  public static func make(_ environment: Environment) async throws -> Application { Application() }

  /// The stand-in has no port to serve: it returns at once.
  public func execute() async throws {}

  public func asyncShutdown() async throws {}

  public func on(_ method: HTTPMethod, _ path: [String], use closure: @escaping RouteClosure) {
    routes.append((method, path, closure))
  }

  /// Answers a request as Vapor's responder and its middleware for errors do.
  public func respond(to request: Request) async -> Response {
    request.application = self
    let path = request.url.string.prefix { $0 != "?" }.split(separator: "/").map { String($0) }
    let route = routes.first { $0.method == request.method && $0.path == path }
    let closure = chained(middleware.all, route?.closure ?? { @Sendable (_) in throw Abort(.notFound) })
    do {
      return try await closure(request)
    } catch {
      request.logger.notice("\(error)")
      return ((error as? any AbortError)?.status ?? .internalServerError).encodeResponse()
    }
  }
}
