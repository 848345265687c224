// SPDX-License-Identifier: Apache-2.0

@testable import IntegrationPages
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys
import Synchronization
import Testing

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
