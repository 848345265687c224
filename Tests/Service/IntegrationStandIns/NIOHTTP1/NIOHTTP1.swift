// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of NIOHTTP1 (SwiftNIO 2), as far as the pages in Documentation/Integrations use them.

package import NIOCoreStandIn
internal import Synchronization

package enum HTTPMethod: Hashable, RawRepresentable, Sendable {
  case GET
  case HEAD
  case POST
  case RAW(value: String)

  package init(rawValue: String) {
    switch rawValue {
    case "GET": self = .GET
    case "HEAD": self = .HEAD
    case "POST": self = .POST
    default: self = .RAW(value: rawValue)
    }
  }

  package var rawValue: String {
    switch self {
    case .GET: "GET"
    case .HEAD: "HEAD"
    case .POST: "POST"
    case .RAW(let value): value
    }
  }
}

package struct HTTPVersion: Equatable, Sendable {
  package static let http1_1 = HTTPVersion()
}

package struct HTTPResponseStatus: Hashable, Sendable {
  package let code: UInt

  package init(statusCode: Int) {
    code = UInt(statusCode)
  }

  package static let ok = HTTPResponseStatus(statusCode: 200)
  package static let noContent = HTTPResponseStatus(statusCode: 204)
  package static let badRequest = HTTPResponseStatus(statusCode: 400)
  package static let unauthorized = HTTPResponseStatus(statusCode: 401)
  package static let payloadTooLarge = HTTPResponseStatus(statusCode: 413)
  package static let internalServerError = HTTPResponseStatus(statusCode: 500)
}

package struct HTTPHeaders: Sequence, Equatable, ExpressibleByDictionaryLiteral, Sendable {
  private let fields: [(name: String, value: String)]

  package init(_ headers: [(String, String)] = []) {
    fields = headers.map { (name: $0.0, value: $0.1) }
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }

  package func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

  package static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool {
    one.fields.elementsEqual(other.fields) { $0 == $1 }
  }
}

package struct HTTPRequestHead: Equatable, Sendable {
  package let version = HTTPVersion.http1_1
  package let method: HTTPMethod
  package let uri: String
  package let headers: HTTPHeaders

  package init(method: HTTPMethod, uri: String, headers: HTTPHeaders) {
    self.method = method
    self.uri = uri
    self.headers = headers
  }

  package var isKeepAlive: Bool { !headers.contains { $0.name == "connection" && $0.value == "close" } }
}

package struct HTTPResponseHead: Equatable, Sendable {
  package let status: HTTPResponseStatus
  package let headers: HTTPHeaders

  package init(version: HTTPVersion, status: HTTPResponseStatus, headers: HTTPHeaders = HTTPHeaders()) {
    self.status = status
    self.headers = headers
  }
}

package enum HTTPPart<Head: Equatable, Body: Equatable>: Equatable {
  case head(Head)
  case body(Body)
  case end(HTTPHeaders?)
}

extension HTTPPart: Sendable where Head: Sendable, Body: Sendable {}

package typealias HTTPServerRequestPart = HTTPPart<HTTPRequestHead, ByteBuffer>
package typealias HTTPServerResponsePart = HTTPPart<HTTPResponseHead, IOData>

/// A channel with the handlers of an HTTP server. They end the process if they get a part of another type than theirs.
package final class HTTPServerPipeline: Channel {
  package let remoteAddress: SocketAddress?
  private let parts = Mutex<[HTTPServerResponsePart]>([])

  package init(remoteAddress: String?) {
    self.remoteAddress = SocketAddress(ipAddress: remoteAddress)
  }

  package var written: [HTTPServerResponsePart] { parts.withLock { $0 } }

  package func write(_ value: Any) {
    guard let part = value as? HTTPServerResponsePart else {
      fatalError("a part of a response is a \(type(of: value))")
    }
    parts.withLock { $0.append(part) }
  }
}
