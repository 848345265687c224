// SPDX-License-Identifier: Apache-2.0

// [shown]
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys
// [until here]

// [shown]
typealias HTTPServerChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Serves the routes of a router on HTTP/1 connections.
struct PasskeyConnections: Sendable {
  let router: EndpointRouter
  let crossOrigin: CrossOriginPolicy
  let errors: ErrorResponses
  let log: @Sendable (String) -> Void

  /// Serves one connection. Call it in a task for each connection that the server accepts.
  func serve(_ channel: HTTPServerChannel) async throws {
    guard let client = IPAddress(channel.channel.remoteAddress?.ipAddress ?? "") else {
      return log("the connection has no client address")
    }
    try await channel.executeThenClose { (inbound, outbound) in
      var (head, body, size): (HTTPRequestHead?, [UInt8], Int) = (nil, [], 0)
      for try await part in inbound {
        switch part {
        case .head(let received): (head, body, size) = (received, [], 0)
        case .body(let buffer):
          size += buffer.readableBytes
          // A client that reads only after its whole body gets a response, up to a mebibyte.
          guard size <= 1 << 20 else { return log("\(EndpointError(.bodyTooLarge))") }
          if size <= 65_536 { body += buffer.readableBytesView }
        case .end:
          guard let head else { return }
          let response = await respond(to: head, size <= 65_536 ? body : nil, from: client)
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
  private func respond(to head: HTTPRequestHead, _ body: [UInt8]?, from client: IPAddress) async -> EndpointResponse {
    var headers = EndpointHeaders()
    for field in head.headers { headers.add(field.name, field.value) }
    do {
      guard let body else { throw EndpointError(.bodyTooLarge) }
      let request = EndpointRequest(
        method: EndpointMethod(rawValue: head.method.rawValue), target: try RequestTarget(head.uri.utf8),
        headers: headers, body: body, peer: client, receivedAt: .now)
      return await crossOrigin.respond(to: request, by: router.respond)
    } catch {
      log("\(error)")
      return errors.response(to: error, requestID: .random())
    }
  }

  private func send(
    _ response: EndpointResponse, to head: HTTPRequestHead,
    through outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
  ) async throws {
    let fields = response.headers.fields.map { ($0.name, $0.value) } + [("content-length", "\(response.body.count)")]
    try await outbound.write(
      .head(
        HTTPResponseHead(
          version: head.version, status: HTTPResponseStatus(statusCode: response.status.rawValue),
          headers: .init(fields))))
    // A response to HEAD has no body.
    if head.method != .HEAD { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
    try await outbound.write(.end(nil))
  }
}
// [until here]
