// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of SwiftNIO 2 (NIOCore, NIOHTTP1), as far as Documentation/Integrations/SwiftNIO.md uses
// them. They let our tests compile and run the page's code.

internal import Synchronization

package struct ByteBuffer: Sendable {
  package let readableBytesView: [UInt8]

  package init(bytes: some Sequence<UInt8>) {
    readableBytesView = Array(bytes)
  }
}

package struct HTTPMethod: Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}

package struct HTTPVersion: Equatable, Sendable {
  package static let http1_1 = HTTPVersion()
}

package struct HTTPResponseStatus: Sendable {
  package let code: Int

  package init(statusCode: Int) {
    code = statusCode
  }
}

package struct HTTPHeaders: Sendable, Sequence {
  private let fields: [(name: String, value: String)]

  package init(_ headers: [(String, String)] = []) {
    fields = headers.map { (name: $0.0, value: $0.1) }
  }

  package func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }
}

package struct HTTPRequestHead: Sendable {
  package let version = HTTPVersion.http1_1
  package let method: HTTPMethod
  package let uri: String
  package let headers: HTTPHeaders

  package init(method: HTTPMethod, uri: String, headers: HTTPHeaders) {
    self.method = method
    self.uri = uri
    self.headers = headers
  }
}

package struct HTTPResponseHead: Sendable {
  package let status: HTTPResponseStatus
  package let headers: HTTPHeaders

  package init(version: HTTPVersion, status: HTTPResponseStatus, headers: HTTPHeaders) {
    self.status = status
    self.headers = headers
  }
}

package enum HTTPPart<Head: Sendable, Body: Sendable>: Sendable {
  case head(Head)
  case body(Body)
  case end(HTTPHeaders?)
}

package typealias HTTPServerRequestPart = HTTPPart<HTTPRequestHead, ByteBuffer>

package struct SocketAddress: Sendable {
  package let ipAddress: String?
}

package struct Channel: Sendable {
  package let remoteAddress: SocketAddress?
}

package final class NIOAsyncChannelOutboundWriter<Part: Sendable>: Sendable {
  private let parts = Mutex<[Part]>([])

  package func write(_ part: Part) async throws { parts.withLock { $0.append(part) } }

  package var written: [Part] { parts.withLock { $0 } }
}

package struct NIOAsyncChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
  package let channel: Channel
  package let outbound = NIOAsyncChannelOutboundWriter<Outbound>()
  private let received: [Inbound]

  package init(remoteAddress: String?, received: [Inbound]) {
    channel = Channel(remoteAddress: SocketAddress(ipAddress: remoteAddress))
    self.received = received
  }

  package func executeThenClose(
    _ body: (AsyncStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>) async throws -> Void
  ) async throws {
    let inbound = AsyncStream { (continuation) in
      for part in received { continuation.yield(part) }
      continuation.finish()
    }
    try await body(inbound, outbound)
  }
}
