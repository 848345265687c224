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

public struct Abort: AbortError, CustomStringConvertible {
  public let status: HTTPResponseStatus
  public let description: String

  public init(_ status: HTTPResponseStatus, reason: String? = nil) {
    self.status = status
    description = "Abort.\(status.code): \(reason ?? "")"
  }
}

extension DecodingError: AbortError {
  public var status: HTTPResponseStatus { .badRequest }
}

/// The target of a request as Vapor's decoder makes it: with one slash at the beginning, and percent-encoded where a URI
/// must be, so that a malformed percent escape becomes a text.
public struct URI: Sendable {
  public let string: String

  public init(path: String) {
    string = URL(string: "/\(path.drop { $0 == "/" })")?.absoluteString ?? ""
  }
}

public final class Response: Sendable {
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

extension String: AsyncResponseEncodable {
  public func encodeResponse() -> Response { Response(status: .ok, headers: [:], body: .init(string: self)) }
}

public protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}

public protocol AsyncMiddleware: Sendable {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
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
public final class Session: @unchecked Sendable {
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

public protocol SessionDriver: Sendable {
  func deleteSession(_ id: SessionID, for request: Request) -> EventLoopFuture<Void>
}

/// Remembers which sessions were deleted. One thread at a time uses it here.
public final class MemorySessions: SessionDriver, @unchecked Sendable {
  public private(set) var deleted: [SessionID] = []

  public func deleteSession(_ id: SessionID, for request: Request) -> EventLoopFuture<Void> {
    deleted.append(id)
    return EventLoopFuture(.success(()))
  }
}

/// Logs in the user of a session before a route runs, and stores the user of the route in the session after it.
public protocol AsyncSessionAuthenticator: AsyncMiddleware {
  associatedtype User: SessionAuthenticatable

  func authenticate(sessionID: User.SessionID, for request: Request) async throws
}

extension AsyncSessionAuthenticator {
  public func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
    guard request.auth.get(User.self) == nil else { return try await next.respond(to: request) }
    if let id = request.session.authenticated(User.self) { try await authenticate(sessionID: id, for: request) }
    let response = try await next.respond(to: request)
    if let user = request.auth.get(User.self) {
      request.session.authenticate(user)
    } else {
      request.session.unauthenticate(User.self)
    }
    return response
  }
}

public final class Request: @unchecked Sendable {
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

  /// In Vapor, the body is read when a route or a middleware asks for it.
  public struct Body {
    fileprivate let received: ByteBuffer?
    fileprivate let request: Request

    public var data: ByteBuffer? { request.isCollected ? received : nil }
    public var string: String? { data.map { String(buffer: $0) } }

    /// A body that the framework received in one piece is collected already, and may be longer.
    public func collect(max: Int?) -> EventLoopFuture<ByteBuffer?> {
      if !request.isCollected, let max, received?.readableBytes ?? 0 >= max {
        return EventLoopFuture(.failure(Abort(.payloadTooLarge)))
      }
      request.isCollected = true
      return EventLoopFuture(.success(received))
    }
  }

  public internal(set) var application = Application()
  public let method: HTTPMethod
  public let url: URI
  public let headers: HTTPHeaders
  public let remoteAddress: SocketAddress?
  private let received: ByteBuffer?
  fileprivate var isCollected: Bool
  public let auth: Authentication
  public let session: Session
  public let logger = Logger(label: "")

  public var body: Body { Body(received: received, request: self) }
  public var content: Content { Content(body: body) }

  public init(
    method: HTTPMethod = .POST, url: String, headers: HTTPHeaders = [:], body: String,
    isInOnePiece: Bool = false, remoteAddress: String? = nil, user: (any Authenticatable)? = nil,
    session: Session = Session()
  ) {
    self.method = method
    self.url = URI(path: url)
    self.headers = headers
    isCollected = isInOnePiece
    received = body.isEmpty ? nil : ByteBuffer(bytes: body.utf8)
    self.remoteAddress = remoteAddress.map { SocketAddress(ipAddress: $0) }
    auth = Authentication(user)
    self.session = session
  }
}

// Names that ours share, so that a page must name ours with their module.

public struct HTTPServer {}

public struct Route {}

public struct Storage {}
