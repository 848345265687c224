// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of NIOHTTP1 (SwiftNIO 2), as far as the pages in Documentation/Integrations use them.

public import NIOCoreStandIn
internal import Synchronization

public enum HTTPMethod: Hashable, RawRepresentable, Sendable {
  case GET
  case HEAD
  case POST
  case RAW(value: String)

  public init(rawValue: String) {
    switch rawValue {
    case "GET": self = .GET
    case "HEAD": self = .HEAD
    case "POST": self = .POST
    default: self = .RAW(value: rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .GET: "GET"
    case .HEAD: "HEAD"
    case .POST: "POST"
    case .RAW(let value): value
    }
  }
}

public struct HTTPVersion: Equatable, Sendable {
  public static let http1_1 = HTTPVersion()
}

public struct HTTPResponseStatus: Hashable, Sendable {
  public let code: UInt

  public init(statusCode: Int) {
    code = UInt(statusCode)
  }

  public static let ok = HTTPResponseStatus(statusCode: 200)
  public static let noContent = HTTPResponseStatus(statusCode: 204)
  public static let badRequest = HTTPResponseStatus(statusCode: 400)
  public static let unauthorized = HTTPResponseStatus(statusCode: 401)
  public static let notFound = HTTPResponseStatus(statusCode: 404)
  public static let conflict = HTTPResponseStatus(statusCode: 409)
  public static let payloadTooLarge = HTTPResponseStatus(statusCode: 413)
  public static let internalServerError = HTTPResponseStatus(statusCode: 500)
  public static let serviceUnavailable = HTTPResponseStatus(statusCode: 503)
}

public struct HTTPHeaders: Sequence, Equatable, ExpressibleByDictionaryLiteral, Sendable {
  private var fields: [(name: String, value: String)]

  public init(_ headers: [(String, String)] = []) {
    fields = headers.map { (name: $0.0, value: $0.1) }
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }

  public mutating func add(name: String, value: String) { fields.append((name: name, value: value)) }

  public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

  public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool {
    one.fields.elementsEqual(other.fields) { $0 == $1 }
  }
}

public struct HTTPRequestHead: Equatable, Sendable {
  public let version = HTTPVersion.http1_1
  public let method: HTTPMethod
  public let uri: String
  public let headers: HTTPHeaders

  public init(method: HTTPMethod, uri: String, headers: HTTPHeaders) {
    self.method = method
    self.uri = uri
    self.headers = headers
  }

  public var isKeepAlive: Bool { !headers.contains { $0.name == "connection" && $0.value == "close" } }
}

public struct HTTPResponseHead: Equatable, Sendable {
  public let status: HTTPResponseStatus
  public let headers: HTTPHeaders

  public init(version: HTTPVersion, status: HTTPResponseStatus, headers: HTTPHeaders = HTTPHeaders()) {
    self.status = status
    self.headers = headers
  }
}

public enum HTTPPart<Head: Equatable, Body: Equatable>: Equatable {
  case head(Head)
  case body(Body)
  case end(HTTPHeaders?)
}

extension HTTPPart: Sendable where Head: Sendable, Body: Sendable {}

public typealias HTTPServerRequestPart = HTTPPart<HTTPRequestHead, ByteBuffer>
public typealias HTTPServerResponsePart = HTTPPart<HTTPResponseHead, IOData>

/// A channel with the handlers of an HTTP server. They end the process if they get a part of another type than theirs.
public final class HTTPServerPipeline: Channel {
  public let remoteAddress: SocketAddress?
  public let received: [any Sendable]
  private let parts = Mutex<[HTTPServerResponsePart]>([])

  /// A pipeline to a client at this address, which sends these parts and leaves.
  public init(remoteAddress: String?, received: [HTTPServerRequestPart]) {
    self.remoteAddress = SocketAddress(ipAddress: remoteAddress)
    self.received = received
  }

  public var written: [HTTPServerResponsePart] { parts.withLock { $0 } }

  public func write(_ value: Any) {
    guard let part = value as? HTTPServerResponsePart else {
      fatalError("a part of a response is a \(type(of: value))")
    }
    parts.withLock { $0.append(part) }
  }
}

extension ChannelPipeline.SynchronousOperations {
  public func configureHTTPServerPipeline() throws {}
}
