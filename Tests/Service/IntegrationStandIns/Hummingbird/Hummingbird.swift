// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of Hummingbird 2, as far as the pages in Documentation/Integrations use them.

package import HTTPTypesStandIn
package import LoggingStandIn
package import NIOCoreStandIn

package struct RequestBody: Sendable {
  private let buffer: ByteBuffer

  package init(buffer: ByteBuffer) {
    self.buffer = buffer
  }

  package func collect(upTo maxSize: Int) async throws -> ByteBuffer {
    guard buffer.readableBytes <= maxSize else { throw NIOTooManyBytesError() }
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

package protocol RequestContextSource {
  var logger: Logger { get }
}

package struct ApplicationRequestContextSource: RequestContextSource {
  package let channel: any Channel
  package let logger: Logger
}

package struct CoreRequestContextStorage: Sendable {
  fileprivate let logger: Logger

  package init(source: some RequestContextSource) {
    logger = source.logger
  }
}

package protocol InitializableFromSource<Source> {
  associatedtype Source

  init(source: Source)
}

package protocol RequestContext: InitializableFromSource, RequestContextSource {
  associatedtype Source: RequestContextSource = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage { get set }
}

extension RequestContext {
  package var logger: Logger { coreContext.logger }
}

package struct BasicRequestContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

package protocol RemoteAddressRequestContext: RequestContext {
  var remoteAddress: SocketAddress? { get }
}

package protocol HTTPResponder<Context>: Sendable {
  associatedtype Context

  @Sendable func respond(to request: Request, context: Context) async throws -> Response
}

package struct Application<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  private let responder: Responder
  package let logger = Logger()

  package init(responder: Responder) {
    self.responder = responder
  }

  /// Answers a request as the server does: an error of the responder becomes an empty response, and no line in the log.
  package func respond(to request: Request, on channel: any Channel) async -> Response {
    do {
      return try await responder.respond(
        to: request, context: .init(source: ApplicationRequestContextSource(channel: channel, logger: logger)))
    } catch {
      return Response(
        status: HTTPResponse.Status(code: 500), headers: HTTPFields(),
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: [])))
    }
  }
}

// Names that ours share, so that a page must name ours with their module.

package struct Router<Context: RequestContext> {}

package struct HTTPError: Error {}

package struct RequestID {}

package struct Cookie {}
