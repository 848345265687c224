// SPDX-License-Identifier: Apache-2.0

// [shown]
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys
// [until here]
import Synchronization
import Testing

// [shown]
typealias HTTPServerChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Serves the routes of a router on HTTP/1 connections.
struct PasskeyConnections: Sendable {
  let router: Router
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
          guard size <= 1 << 20 else { return log("\(HTTPError(.bodyTooLarge))") }
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
  private func respond(to head: HTTPRequestHead, _ body: [UInt8]?, from client: IPAddress) async -> HTTPResponse {
    var headers = PasskeyHTTP.HTTPHeaders()
    for field in head.headers { headers.add(field.name, field.value) }
    do {
      guard let body else { throw HTTPError(.bodyTooLarge) }
      let request = HTTPRequest(
        method: PasskeyHTTP.HTTPMethod(rawValue: head.method.rawValue), target: try RequestTarget(head.uri.utf8),
        headers: headers, body: Bytes(body), peer: client, receivedAt: .now)
      return await crossOrigin.respond(to: request, by: router.respond)
    } catch {
      log("\(error)")
      return errors.response(to: error, requestID: .random())
    }
  }

  private func send(
    _ response: HTTPResponse, to head: HTTPRequestHead,
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

private final class Lines: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

@Suite struct SwiftNIOTests {
  private let lines = Lines()

  private func parts(
    _ echoed: Echoed = .sample, method: String? = nil, to target: String? = nil, body: [UInt8]? = nil,
    closing: Bool = false
  ) -> [HTTPServerRequestPart] {
    let fields = echoed.headers + [("host", echoed.host)] + (closing ? [("connection", "close")] : [])
    let head = HTTPRequestHead(
      method: .init(rawValue: method ?? echoed.method), uri: target ?? echoed.target, headers: .init(fields))
    let body = body ?? Array(echoed.body.utf8)
    return [
      .head(head), .body(ByteBuffer(bytes: body.prefix(3))), .body(ByteBuffer(bytes: body.dropFirst(3))), .end(nil),
    ]
  }

  private struct Answer {
    let status: UInt
    let fields: [(name: String, value: String)]
    var body: String?
  }

  private func answers(
    to received: [HTTPServerRequestPart], from address: String? = Echoed.client
  ) async throws -> [Answer] {
    let pipeline = HTTPServerPipeline(remoteAddress: address)
    let connections = PasskeyConnections(
      router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"]),
      errors: Echoed.errors, log: { [lines] in lines.add($0) })
    try await connections.serve(HTTPServerChannel(wrappingChannelSynchronously: pipeline, received: received))
    var answers: [Answer] = []
    var ends = 0
    for part in pipeline.written {
      switch part {
      case .head(let head): answers.append(Answer(status: head.status.code, fields: Array(head.headers), body: nil))
      case .body(.byteBuffer(let buffer)):
        answers[answers.count - 1].body = String(decoding: buffer.readableBytesView, as: UTF8.self)
      case .body(.fileRegion): Issue.record("a file")
      case .end: ends += 1
      }
    }
    #expect(ends == answers.count)
    return answers
  }

  @Test func `two requests of one connection get one response each`() async throws {
    let answers = try await answers(to: parts() + parts())
    #expect(answers.count == 2)
    for answer in answers {
      #expect(answer.status == 201)
      #expect(answer.body == Echoed.sample.answer)
      #expect(answer.fields.contains { $0 == ("content-length", String(Echoed.sample.answer.utf8.count)) })
      #expect(answer.fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
      #expect(answer.fields.filter { $0.name == "set-cookie" }.map(\.value) == Echoed.cookies)
    }
  }

  @Test func `a connection ends after the response if the client asks for it`() async throws {
    #expect(try await answers(to: parts(closing: true) + parts()).count == 1)
  }

  @Test func `a response to HEAD has no body`() async throws {
    let answer = try #require(try await answers(to: parts(method: "HEAD", to: "/none")).first)
    #expect(answer.status == 404 && answer.body == nil)
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let answers = try await answers(to: parts(to: target) + parts())
    #expect(answers.map(\.status) == [400, 201])
    #expect(answers.first?.body?.contains("http.target-malformed") == true)
    #expect(lines.all == ["http.target-malformed"])
  }

  @Test func `a large body is answered with 413, and logged`() async throws {
    #expect(try await answers(to: parts(body: Echoed.largeBody) + parts()).map(\.status) == [413, 201])
    #expect(lines.all == ["http.body-too-large"])
  }

  @Test func `a body of more than a mebibyte ends the connection`() async throws {
    let body = [UInt8](repeating: 0, count: 1 << 20 + 1)
    #expect(try await answers(to: parts(body: body) + parts()).isEmpty)
    #expect(lines.all == ["http.body-too-large"])
  }

  @Test func `a connection without an address gets no response, and is logged`() async throws {
    #expect(try await answers(to: parts(), from: nil).isEmpty)
    #expect(lines.all == ["the connection has no client address"])
  }

  @Test func `a part of another type than the pipeline's ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let channel = try NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>(
        wrappingChannelSynchronously: HTTPServerPipeline(remoteAddress: nil), received: [])
      try await channel.executeThenClose { (_, outbound) in
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .ok)))
      }
    }
  }
}
