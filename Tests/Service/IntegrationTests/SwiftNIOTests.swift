// SPDX-License-Identifier: Apache-2.0

@testable import IntegrationPages
import NIOCoreStandIn
import NIOHTTP1StandIn
import NIOPosixStandIn
import Passkeys
import Testing

private struct Answer {
  let status: UInt
  let fields: [(name: String, value: String)]
  var body: String?
}

private func parts(
  _ method: String, _ target: String, _ fields: [(String, String)], _ body: [UInt8]
) -> [HTTPServerRequestPart] {
  let head = HTTPRequestHead(method: .init(rawValue: method), uri: target, headers: .init(fields))
  return [
    .head(head), .body(ByteBuffer(bytes: body.prefix(3))), .body(ByteBuffer(bytes: body.dropFirst(3))), .end(nil),
  ]
}

extension HTTPServerPipeline {
  /// The responses, each with one end.
  fileprivate var answers: [Answer] {
    var answers: [Answer] = []
    var ends = 0
    for part in written {
      switch part {
      case .head(let head): answers.append(Answer(status: head.status.code, fields: Array(head.headers), body: nil))
      case .body(.byteBuffer(let buffer)): answers[answers.count - 1].body = String(buffer: buffer)
      case .body(.fileRegion): Issue.record("a file")
      case .end: ends += 1
      }
    }
    #expect(ends == answers.count)
    return answers
  }
}

@Suite struct SwiftNIOTests {
  private let log = Lines()

  private func sample(
    method: String = Echoed.sample.method, to target: String = Echoed.sample.target, body: [UInt8]? = nil,
    closing: Bool = false
  ) -> [HTTPServerRequestPart] {
    let fields = Echoed.sample.headers + [("host", Echoed.sample.host)] + (closing ? [("connection", "close")] : [])
    return parts(method, target, fields, body ?? Array(Echoed.sample.body.utf8))
  }

  private func answers(
    to received: [HTTPServerRequestPart], from address: String? = Echoed.client
  ) async throws -> [Answer] {
    let pipeline = HTTPServerPipeline(remoteAddress: address, received: received)
    let connections = PasskeyConnections(passkeys: try await Echoed.responder(log))
    try await connections.serve(HTTPServerChannel(wrappingChannelSynchronously: pipeline))
    return pipeline.answers
  }

  @Test func `two requests of one connection get one response each`() async throws {
    let answers = try await answers(to: sample() + sample())
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
    #expect(try await answers(to: sample(closing: true) + sample()).count == 1)
  }

  @Test func `a response to HEAD has no body`() async throws {
    let answer = try #require(try await answers(to: sample(method: "HEAD", to: "/none")).first)
    #expect(answer.status == 404 && answer.body == nil)
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let answers = try await answers(to: sample(to: target) + sample())
    #expect(answers.map(\.status) == [400, 201])
    #expect(answers.first?.body?.contains("http.target-malformed") == true)
    #expect(log.all.count == 1)
  }

  @Test func `a large body is answered with 413, and logged`() async throws {
    #expect(try await answers(to: sample(body: Echoed.largeBody) + sample()).map(\.status) == [413, 201])
    #expect(log.all.count == 1 && log.all.first?.contains("413 http.body-too-large") == true)
  }

  @Test func `a body of more than a mebibyte is answered with 413, and ends the connection`() async throws {
    let body = [UInt8](repeating: 0, count: 1 << 20 + 1)
    #expect(try await answers(to: sample(body: body) + sample()).map(\.status) == [413])
    #expect(log.all.count == 1 && log.all.first?.contains("413 http.body-too-large") == true)
  }

  @Test func `a request without an address is refused, and logged`() async throws {
    #expect(try await answers(to: sample(), from: nil).map(\.status) == [500])
    #expect(log.all.first?.contains("500 http.internal-error: the connection has no client address") == true)
  }

  @Test func `users sign up, use the application's routes, and confirm`() async throws {
    let log = log
    let connections = PasskeyConnections(
      passkeys: try nioResponder(for: try await Echoed.service()) { log.add("\($0)") })
    try await Visit { (method, target, fields, body) in
      let pipeline = HTTPServerPipeline(
        remoteAddress: Echoed.client,
        received: parts(method, target, fields.map { ($0.name, $0.value) }, Array(body.utf8)))
      try await connections.serve(HTTPServerChannel(wrappingChannelSynchronously: pipeline))
      let answer = try #require(pipeline.answers.first)
      return .init(status: Int(answer.status), fields: answer.fields, body: answer.body ?? "")
    }.check { log.all }
  }

  @Test func `the server serves the clients that connect`() async throws {
    let client = HTTPServerPipeline(remoteAddress: Echoed.client, received: sample(method: "GET", to: "/healthz"))
    let service = try await Echoed.service()
    try await ServerBootstrap.$clients.withValue([client]) { try await runNIOServer(for: service) }
    #expect(client.answers.map(\.status) == [200])
  }

  @Test func `a part of another type than the pipeline's ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let channel = try NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>(
        wrappingChannelSynchronously: HTTPServerPipeline(remoteAddress: nil, received: []))
      try await channel.executeThenClose { (_, outbound) in
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .ok)))
      }
    }
  }
}
