// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of Hummingbird 2 and of the packages that it re-exports, as far as
// Documentation/Integrations/Hummingbird.md uses them. They let our tests compile and run the page's code.

package struct ByteBuffer: Sendable {
  package let readableBytesView: [UInt8]

  package init(bytes: some Sequence<UInt8>) {
    readableBytesView = Array(bytes)
  }
}

package struct HTTPField: Sendable {
  package struct Name: Sendable {
    package let rawName: String

    package init?(_ name: String) {
      guard !name.isEmpty else { return nil }
      rawName = name
    }
  }

  package let name: Name
  package let value: String

  package init(name: Name, value: String) {
    self.name = name
    self.value = value
  }
}

package struct HTTPFields: Sendable, Sequence {
  private var fields: [HTTPField] = []

  package init() {}

  package mutating func append(_ field: HTTPField) { fields.append(field) }

  package func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

package struct HTTPRequest: Sendable {
  package struct Method: Sendable {
    package let rawValue: String
  }

  package let method: Method
  package let authority: String?
  package let path: String?
  package let headerFields: HTTPFields

  package init(method: String, authority: String?, path: String?, headerFields: HTTPFields) {
    self.method = Method(rawValue: method)
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
  }
}

package struct HTTPResponse: Sendable {
  package struct Status: Sendable {
    package let code: Int

    package init(code: Int) {
      self.code = code
    }
  }
}

package struct RequestBody: Sendable {
  package struct TooLarge: Error {}

  private let buffer: ByteBuffer

  package init(buffer: ByteBuffer) {
    self.buffer = buffer
  }

  package func collect(upTo maxSize: Int) async throws -> ByteBuffer {
    guard buffer.readableBytesView.count <= maxSize else { throw TooLarge() }
    return buffer
  }
}

package struct Request: Sendable {
  package let head: HTTPRequest
  package var body: RequestBody
  package var method: HTTPRequest.Method { head.method }
  package var headers: HTTPFields { head.headerFields }

  package init(head: HTTPRequest, body: RequestBody) {
    self.head = head
    self.body = body
  }
}

package struct ResponseBody: Sendable {
  package let buffer: ByteBuffer

  package init(byteBuffer: ByteBuffer) {
    buffer = byteBuffer
  }
}

package struct Response: Sendable {
  package var status: HTTPResponse.Status
  package var headers: HTTPFields
  package var body: ResponseBody

  package init(status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

package struct SocketAddress: Sendable {
  package let ipAddress: String?

  package init(ipAddress: String?) {
    self.ipAddress = ipAddress
  }
}

package protocol RemoteAddressRequestContext: Sendable {
  var remoteAddress: SocketAddress? { get }
}

package protocol HTTPResponder<Context>: Sendable {
  associatedtype Context

  @Sendable func respond(to request: Request, context: Context) async throws -> Response
}

/// Hummingbird has a router too, so that the page must name ours with its module.
package struct Router {}
