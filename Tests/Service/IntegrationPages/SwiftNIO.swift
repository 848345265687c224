// SPDX-License-Identifier: Apache-2.0

// [shown]
import NIOCoreStandIn
import NIOHTTP1StandIn
import NIOPosixStandIn
import Passkeys
// [until here]

// [shown]
typealias HTTPServerChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Serves the endpoints and your routes on HTTP/1 connections.
struct PasskeyConnections: Sendable {
  let passkeys: EndpointResponder

  /// Serves one connection. Call it in a task for each connection that the server accepts.
  func serve(_ channel: HTTPServerChannel) async throws {
    let peer = channel.channel.remoteAddress?.ipAddress
    try await channel.executeThenClose { (inbound, outbound) in
      var (head, body): (HTTPRequestHead?, [UInt8]) = (nil, [])
      for try await part in inbound {
        switch part {
        case .head(let received): (head, body) = (received, [])
        case .body(let buffer):
          body += buffer.readableBytesView
          // A client that reads only after its whole body gets a response, up to a mebibyte.
          if body.count > 1 << 20, let head {
            let refusal = await passkeys.respond { throw EndpointError(.bodyTooLarge) }
            return try await send(refusal, to: head, through: outbound)
          }
        case .end:
          guard let head else { return }
          let received = body
          let response = await passkeys.respond {
            try EndpointRequest(head.method.rawValue, head.uri, headers: head.headers, body: received, peer: peer)
          }
          try await send(response, to: head, through: outbound)
          guard head.isKeepAlive else { return }
        }
      }
    }
  }
}
// [until here]

// [shown]
extension PasskeyConnections {
  private func send(
    _ response: EndpointResponse, to head: HTTPRequestHead,
    through outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  ) async throws {
    var fields = HTTPHeaders(response.headers.fields.map { ($0.name, $0.value) })
    fields.add(name: "content-length", value: "\(response.body.count)")
    let status = HTTPResponseStatus(statusCode: response.status.rawValue)
    try await outbound.write(.head(HTTPResponseHead(version: head.version, status: status, headers: fields)))
    // A response to HEAD has no body.
    if head.method != .HEAD { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
    try await outbound.write(.end(nil))
  }
}
// [until here]

// [shown]
/// The sign-in service, and two routes of your own.
func nioResponder(
  for service: AuthService, report: @escaping @Sendable (EndpointResponder.RefusedRequest) -> Void
) throws -> EndpointResponder {
  let endpoints = Endpoints(service: service)
  let hello = EndpointRoute(.get, "/hello") { (request) in
    let session = try await endpoints.authenticate(request)
    return EndpointResponse(.ok, contentType: "text/plain", body: [UInt8]("Hello, \(session.account.name)".utf8))
  }
  let orders = EndpointRoute(.post, "/orders") { (request) in
    let session = try await endpoints.authenticate(request)
    // Throws a 401 with the step-up to request, unless the user has confirmed this request.
    _ = try await endpoints.spendConfirmation(of: request, by: session)
    let text = "\(session.account.name) orders \(String(decoding: request.body, as: UTF8.self))"
    return EndpointResponse(.ok, contentType: "text/plain", body: [UInt8](text.utf8))
  }
  return try EndpointResponder(endpoints, adding: [hello, orders], report: report)
}

/// Serves them at http://127.0.0.1:8080.
func runNIOServer(for service: AuthService) async throws {
  let connections = PasskeyConnections(passkeys: try nioResponder(for: service) { print($0) })
  let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .bind(host: "127.0.0.1", port: 8080) { (channel) in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
        return try HTTPServerChannel(wrappingChannelSynchronously: channel)
      }
    }
  try await withThrowingDiscardingTaskGroup { (group) in
    try await server.executeThenClose { (clients) in
      for try await client in clients { group.addTask { try? await connections.serve(client) } }
    }
  }
}
// [until here]
