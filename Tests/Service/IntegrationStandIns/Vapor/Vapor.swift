// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of Vapor 4, as far as the pages on Vapor in Documentation/Integrations use them.

internal import Foundation
public import LoggingStandIn
public import NIOCoreStandIn
public import NIOHTTP1StandIn

public typealias HTTPStatus = HTTPResponseStatus

public protocol AbortError: Error {
  var status: HTTPResponseStatus { get }
}

public struct Abort: AbortError {
  public let status: HTTPResponseStatus

  public init(_ status: HTTPResponseStatus) {
    self.status = status
  }
}

extension DecodingError: AbortError {
  public var status: HTTPResponseStatus { .badRequest }
}

public struct URI: Sendable {
  public let string: String
}

/// A number of bytes, written such as `64kb`.
public struct ByteCount: ExpressibleByStringLiteral, Sendable {
  fileprivate let value: Int

  fileprivate init(kibibytes: Int) {
    value = kibibytes * 1_024
  }

  public init(stringLiteral value: String) {
    self.init(kibibytes: Int(value.prefix { $0.isNumber }) ?? 0)
  }
}

/// Whether a route gets the body in one piece.
public enum HTTPBodyStreamStrategy: Sendable {
  case collect(maxSize: ByteCount)
}

public struct Response: Sendable {
  public struct Body: Sendable {
    public let buffer: ByteBuffer

    public init(string: String) {
      buffer = ByteBuffer(bytes: string.utf8)
    }

    public init(buffer: ByteBuffer) {
      self.buffer = buffer
    }

    public var string: String { String(decoding: buffer.readableBytesView, as: UTF8.self) }
  }

  public let status: HTTPStatus
  public let headers: HTTPHeaders
  public let body: Body

  public init(status: HTTPStatus, headers: HTTPHeaders, body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

public protocol AsyncResponseEncodable: Sendable {
  func encodeResponse() -> Response
}

extension Response: AsyncResponseEncodable {
  public func encodeResponse() -> Response { self }
}

extension HTTPStatus: AsyncResponseEncodable {
  public func encodeResponse() -> Response { Response(status: self, headers: [:], body: .init(string: "")) }
}

public protocol Authenticatable: Sendable {}

public protocol SessionAuthenticatable: Authenticatable {
  associatedtype SessionID: LosslessStringConvertible, Sendable

  var sessionID: SessionID { get }
}

public struct SessionID: Hashable, Sendable {
  public let string: String

  public init(string: String) {
    self.string = string
  }
}

/// One thread at a time uses a request here, so that nothing needs a lock.
public final class Session {
  /// Vapor's middleware stores a session without an ID under a new one.
  public var id: SessionID?
  public var data: [String: String] = [:]

  public init(id: SessionID? = nil) {
    self.id = id
  }

  fileprivate func authenticate<User: SessionAuthenticatable>(_ user: User) {
    data[Self.key(User.self)] = user.sessionID.description
  }

  fileprivate func unauthenticate<User: SessionAuthenticatable>(_ type: User.Type) {
    data[Self.key(User.self)] = nil
  }

  fileprivate func authenticated<User: SessionAuthenticatable>(_ type: User.Type) -> User.SessionID? {
    data[Self.key(User.self)].flatMap { User.SessionID($0) }
  }

  private static func key(_ type: any Authenticatable.Type) -> String { "_\(type)Session" }
}

/// Logs in the user of a session before a route runs, and stores the user of the route in the session after it.
public protocol AsyncSessionAuthenticator: Sendable {
  associatedtype User: SessionAuthenticatable

  func authenticate(sessionID: User.SessionID, for request: Request) async throws
}

extension AsyncSessionAuthenticator {
  fileprivate func respond(
    to request: Request, chainingTo next: RouteClosure
  ) async throws -> any AsyncResponseEncodable {
    guard request.auth.get(User.self) == nil else { return try await next(request) }
    if let id = request.session.authenticated(User.self) { try await authenticate(sessionID: id, for: request) }
    let response = try await next(request)
    if let user = request.auth.get(User.self) {
      request.session.authenticate(user)
    } else {
      request.session.unauthenticate(User.self)
    }
    return response
  }
}

public struct Request {
  public struct Content {
    fileprivate let body: Body

    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: body.data.map { Data($0.readableBytesView) } ?? Data())
    }
  }

  public final class Authentication {
    private var user: (any Authenticatable)?

    fileprivate init(_ user: (any Authenticatable)?) {
      self.user = user
    }

    public func login(_ user: some Authenticatable) {
      self.user = user
    }

    public func get<User: Authenticatable>(_ type: User.Type = User.self) -> User? { user as? User }

    public func require<User: Authenticatable>(_ type: User.Type = User.self) throws -> User {
      guard let user = get(type) else { throw Abort(.unauthorized) }
      return user
    }
  }

  public struct Body {
    public let data: ByteBuffer?
  }

  public let method: HTTPMethod
  public let url: URI
  public let headers: HTTPHeaders
  public let body: Body
  public let remoteAddress: SocketAddress?
  public let auth: Authentication
  public let session: Session
  public let logger = Logger()

  public var content: Content { Content(body: body) }

  public init(
    method: HTTPMethod = .POST, url: String, headers: HTTPHeaders = [:], body: String,
    remoteAddress: String? = nil, user: (any Authenticatable)? = nil, session: Session = Session()
  ) {
    self.method = method
    self.url = URI(string: url)
    self.headers = headers
    self.body = Body(data: body.isEmpty ? nil : ByteBuffer(bytes: body.utf8))
    self.remoteAddress = remoteAddress.map { SocketAddress(ipAddress: $0) }
    auth = Authentication(user)
    self.session = session
  }
}

public typealias RouteClosure = (Request) async throws -> any AsyncResponseEncodable

public protocol RoutesBuilder: AnyObject {
  func on(_ method: HTTPMethod, _ path: [String], _ limit: ByteCount, use closure: @escaping RouteClosure)
}

extension RoutesBuilder {
  public func grouped(_ path: String...) -> any RoutesBuilder { RouteGroup(path, in: self) }

  public func grouped(_ authenticator: some AsyncSessionAuthenticator) -> any RoutesBuilder {
    RouteGroup([], in: self) { (closure) in
      { (request) in try await authenticator.respond(to: request, chainingTo: closure) }
    }
  }

  public func register(collection: some RouteCollection) throws { try collection.boot(routes: self) }

  public func post<Encodable: AsyncResponseEncodable>(
    _ path: String..., use closure: @escaping (Request) async throws -> Encodable
  ) {
    on(.POST, path, ByteCount(kibibytes: 16)) { try await closure($0) }
  }

  /// In Vapor, `**` as the last part stands for any further parts.
  public func on<Encodable: AsyncResponseEncodable>(
    _ method: HTTPMethod, _ path: String..., body: HTTPBodyStreamStrategy,
    use closure: @escaping (Request) async throws -> Encodable
  ) {
    if case .collect(let limit) = body { on(method, path, limit) { try await closure($0) } }
  }
}

private final class RouteGroup: RoutesBuilder {
  private let path: [String]
  private let root: any RoutesBuilder
  private let middleware: (@escaping RouteClosure) -> RouteClosure

  init(
    _ path: [String], in root: any RoutesBuilder,
    _ middleware: @escaping (@escaping RouteClosure) -> RouteClosure = { $0 }
  ) {
    self.path = path
    self.root = root
    self.middleware = middleware
  }

  func on(_ method: HTTPMethod, _ path: [String], _ limit: ByteCount, use closure: @escaping RouteClosure) {
    root.on(method, self.path + path, limit, use: middleware(closure))
  }
}

public protocol RouteCollection {
  func boot(routes: any RoutesBuilder) throws
}

public final class Application: RoutesBuilder {
  private var routes: [(method: HTTPMethod, path: [String], limit: ByteCount, closure: RouteClosure)] = []

  public init() {}

  public func on(_ method: HTTPMethod, _ path: [String], _ limit: ByteCount, use closure: @escaping RouteClosure) {
    routes.append((method, path, limit, closure))
  }

  /// Answers a request as Vapor's responder and its middleware for errors do; nil if no route has its method and path.
  public func respond(to request: Request) async -> Response? {
    let path = request.url.string.prefix { $0 != "?" }.split(separator: "/").map { String($0) }
    let route = routes.first { (method, parts, _, _) in
      guard method == request.method else { return false }
      return parts.last == "**" ? path.starts(with: parts.dropLast()) && path.count >= parts.count : path == parts
    }
    guard let route else { return nil }
    do {
      if request.body.data?.readableBytes ?? 0 >= route.limit.value { throw Abort(.payloadTooLarge) }
      return try await route.closure(request).encodeResponse()
    } catch {
      request.logger.notice("\(error)")
      return ((error as? any AbortError)?.status ?? .internalServerError).encodeResponse()
    }
  }
}

// Names that ours share, so that a page must name ours with their module.

public struct HTTPServer {}

public struct Route {}

public struct Storage {}
