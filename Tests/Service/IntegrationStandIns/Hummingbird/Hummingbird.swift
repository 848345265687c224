// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of Hummingbird 2, as far as the pages in Documentation/Integrations use them.

public import HTTPTypesStandIn
public import LoggingStandIn
public import NIOCoreStandIn

public struct RequestBody: Sendable {
  private let buffer: ByteBuffer

  public init(buffer: ByteBuffer) {
    self.buffer = buffer
  }

  public func collect(upTo maxSize: Int) async throws -> ByteBuffer {
    guard buffer.readableBytes <= maxSize else { throw NIOTooManyBytesError() }
    return buffer
  }
}

public struct Request: Sendable {
  public let head: HTTPRequest
  public var body: RequestBody
  public var method: HTTPRequest.Method { head.method }
  public var headers: HTTPFields { head.headerFields }

  public init(head: HTTPRequest, body: RequestBody) {
    self.head = head
    self.body = body
  }
}

public struct ResponseBody: Sendable {
  public let buffer: ByteBuffer

  public init(byteBuffer: ByteBuffer) {
    buffer = byteBuffer
  }
}

public struct Response: Sendable {
  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: ResponseBody

  public init(status: HTTPResponse.Status, headers: HTTPFields, body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

public protocol RequestContextSource {
  var logger: Logger { get }
}

public struct ApplicationRequestContextSource: RequestContextSource {
  public let channel: any Channel
  public let logger: Logger
}

public struct CoreRequestContextStorage: Sendable {
  fileprivate let logger: Logger

  public init(source: some RequestContextSource) {
    logger = source.logger
  }
}

public protocol InitializableFromSource<Source> {
  associatedtype Source

  init(source: Source)
}

public protocol RequestContext: InitializableFromSource, RequestContextSource {
  associatedtype Source: RequestContextSource = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage { get set }
}

extension RequestContext {
  public var logger: Logger { coreContext.logger }
}

public struct BasicRequestContext: RequestContext {
  public var coreContext: CoreRequestContextStorage

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

public protocol RemoteAddressRequestContext: RequestContext {
  var remoteAddress: SocketAddress? { get }
}

public protocol HTTPResponder<Context>: Sendable {
  associatedtype Context

  @Sendable func respond(to request: Request, context: Context) async throws -> Response
}

public struct Application<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  private let responder: Responder
  public let logger = Logger()

  public init(responder: Responder) {
    self.responder = responder
  }

  /// Answers a request as the server does: an error of the responder becomes an empty response, and no line in the log.
  public func respond(to request: Request, on channel: any Channel) async -> Response {
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

public struct Router<Context: RequestContext> {}

public struct HTTPError: Error {}

public struct RequestID {}

public struct Cookie {}
