// SPDX-License-Identifier: Apache-2.0

import HTTPTypesStandIn
import HummingbirdStandIn
@testable import IntegrationPages
import LoggingStandIn
import NIOCoreStandIn
import Passkeys
import Testing

extension Application {
  /// Answers a request from a client at this address.
  func answer(
    _ method: String, _ target: String, _ fields: [(name: String, value: String)], _ body: [UInt8],
    from address: String? = Echoed.client
  ) async throws -> Response {
    // The server takes the value of Host out of the header fields.
    var headers = HTTPFields()
    for (name, value) in fields where name != "host" {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    let head = HTTPRequest(
      method: try #require(.init(rawValue: method)), authority: fields.first { $0.name == "host" }?.value, path: target,
      headerFields: headers)
    return await respond(to: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body))), on: Peer(address))
  }
}

private final class Peer: Channel {
  let remoteAddress: SocketAddress?
  let received: [any Sendable] = []

  init(_ address: String?) {
    remoteAddress = SocketAddress(ipAddress: address)
  }

  func write(_ value: Any) {}
}

extension Response {
  var text: String { String(buffer: body.buffer) }
  var pairs: [(name: String, value: String)] { headers.map { (name: $0.name.rawName, value: $0.value) } }
}

@Suite struct HummingbirdTests {
  private let log = Lines()
  private let app: Application<RouterResponder<AppContext>>

  init() async throws {
    let router = Router(context: AppContext.self)
    router.add(middleware: PasskeyMiddleware(passkeys: try await Echoed.responder(log)))
    router.get("own") { (_, _) in "own" }
    app = Application(router: router)
  }

  private func respond(
    _ method: String = Echoed.sample.method, to target: String = Echoed.sample.target, body: [UInt8]? = nil,
    from address: String? = Echoed.client
  ) async throws -> Response {
    let echoed = Echoed.sample
    let fields = (echoed.headers + [("host", echoed.host)]).map { (name: $0.0, value: $0.1) }
    return try await app.answer(method, target, fields, body ?? Array(echoed.body.utf8), from: address)
  }

  @Test func `a request reaches its route, and the response the client`() async throws {
    let response = try await respond()
    #expect(response.status.code == 201)
    #expect(response.text == Echoed.sample.answer)
    #expect(response.pairs.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(response.pairs.filter { $0.name == "set-cookie" }.map(\.value) == Echoed.cookies)
    #expect(log.all.isEmpty)
  }

  @Test func `other paths stay with the application`() async throws {
    #expect(try await respond("GET", to: "/own").text == "own")
    #expect(try await respond("GET", to: "/none").status == .notFound)
    #expect(log.all.isEmpty)
  }

  @Test func `a response to HEAD has no body`() async throws {
    let response = try await respond("HEAD", to: "/healthz")
    #expect(response.status == .ok && response.text.isEmpty)
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let response = try await respond(to: target)
    #expect(response.status == .badRequest)
    #expect(response.text.contains("http.target-malformed"))
    #expect(log.all.count == 1)
    #expect(log.all.first?.hasPrefix("unreadable request: 400 http.target-malformed: \"\(target)\"") == true)
  }

  @Test func `a large body is answered with 413, and logged`() async throws {
    #expect(try await respond(body: Echoed.largeBody).status == .contentTooLarge)
    #expect(log.all.count == 1)
    #expect(log.all.first?.hasPrefix("unreadable request: 413 http.body-too-large, request ") == true)
  }

  @Test func `a request without an address is refused, and logged`() async throws {
    #expect(try await respond(from: nil).status == .internalServerError)
    #expect(log.all.first?.contains("500 http.internal-error: the connection has no client address") == true)
  }

  @Test func `users sign up, use the application's routes, and confirm`() async throws {
    let logger = Logger(label: "")
    let app = Application(router: try appRouter(for: try await Echoed.service(), logger: logger))
    try await Visit { (method, target, fields, body) in
      let response = try await app.answer(method, target, fields, Array(body.utf8))
      return .init(status: response.status.code, fields: response.pairs, body: response.text)
    }.check { logger.notices }
  }

  @Test func `the server runs`() async throws {
    try await runServer()
  }
}
