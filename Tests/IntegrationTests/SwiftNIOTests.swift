// SPDX-License-Identifier: Apache-2.0

import NIOStandIn
import Passkeys
import Testing

// [shown]
typealias HTTPServerChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>

/// Serves the routes of a router on one connection. Call it in a task for each connection that the server accepts.
func serve(_ channel: HTTPServerChannel, by router: Router, allowing crossOrigin: CrossOriginPolicy) async throws {
  guard let client = IPAddress(channel.channel.remoteAddress?.ipAddress ?? "") else { return }
  try await channel.executeThenClose { (inbound, outbound) in
    var (head, body): (HTTPRequestHead?, [UInt8]) = (nil, [])
    for try await part in inbound {
      switch part {
      case .head(let received): (head, body) = (received, [])
      case .body(let buffer):
        body += buffer.readableBytesView
        guard body.count <= 65_536 else { return }
      case .end:
        guard let head else { return }
        var headers = PasskeyHTTP.HTTPHeaders()
        for field in head.headers { headers.add(field.name, field.value) }
        let request = try HTTPRequest(
          method: PasskeyHTTP.HTTPMethod(rawValue: head.method.rawValue), target: RequestTarget(head.uri.utf8),
          headers: headers, body: Bytes(body), peer: client, receivedAt: .now)
        let response = await crossOrigin.respond(to: request, by: router.respond)
        let fields = response.headers.fields.map { ($0.name, $0.value) }
        let answer = HTTPResponseHead(
          version: head.version, status: HTTPResponseStatus(statusCode: response.status.rawValue),
          headers: .init(fields + [("content-length", String(response.body.count))]))
        try await outbound.write(.head(answer))
        try await outbound.write(.body(ByteBuffer(bytes: response.body)))
        try await outbound.write(.end(nil))
      }
    }
  }
}
// [until here]

@Suite struct SwiftNIOTests {
  private func parts(_ echoed: Echoed) -> [HTTPServerRequestPart] {
    let head = HTTPRequestHead(
      method: .init(rawValue: echoed.method), uri: echoed.target,
      headers: .init(echoed.headers + [("host", echoed.host)]))
    let body = [UInt8](echoed.body.utf8)
    return [
      .head(head), .body(ByteBuffer(bytes: body.prefix(3))), .body(ByteBuffer(bytes: body.dropFirst(3))), .end(nil),
    ]
  }

  private func answers(
    to received: [HTTPServerRequestPart], from address: String?
  ) async throws -> [(status: Int, fields: [(name: String, value: String)], body: String)] {
    let channel = HTTPServerChannel(remoteAddress: address, received: received)
    try await serve(channel, by: Echoed.router(), allowing: CrossOriginPolicy(origins: ["https://raxx.app"]))
    var answers: [(status: Int, fields: [(name: String, value: String)], body: String)] = []
    var ends = 0
    for part in channel.outbound.written {
      switch part {
      case .head(let head): answers.append((head.status.code, Array(head.headers), ""))
      case .body(let buffer):
        answers[answers.count - 1].body = String(decoding: buffer.readableBytesView, as: UTF8.self)
      case .end: ends += 1
      }
    }
    #expect(ends == answers.count)
    return answers
  }

  @Test func `two requests of one connection get one response each`() async throws {
    let answers = try await answers(to: parts(.sample) + parts(.sample), from: Echoed.client)
    #expect(answers.count == 2)
    for answer in answers {
      #expect(answer.status == 201)
      #expect(answer.body == Echoed.sample.answer)
      #expect(answer.fields.contains { $0 == ("content-length", String(answer.body.utf8.count)) })
      #expect(answer.fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
      #expect(answer.fields.filter { $0.name == "set-cookie" }.map(\.value) == Echoed.cookies)
    }
  }

  @Test func `a connection without an address, or with too long a body, gets no response`() async throws {
    #expect(try await answers(to: parts(.sample), from: nil).isEmpty)
    var long = parts(.sample)
    long[1] = .body(ByteBuffer(bytes: [UInt8](repeating: 0, count: 65_537)))
    #expect(try await answers(to: long, from: Echoed.client).isEmpty)
  }
}
