// SPDX-License-Identifier: Apache-2.0

import Passkeys
import Testing
@testable import VaporPages
import VaporStandIn

@Suite struct VaporServiceTests {
  private let log = Lines()
  private let app = Application()

  init() async throws {
    app.middleware.use(PasskeyMiddleware(passkeys: try await Echoed.responder(log)))
    app.get("own") { (_) in "own" }
  }

  private func respond(
    _ method: HTTPMethod = .POST, at target: String = Echoed.sample.target, body: String? = nil,
    inOnePiece isInOnePiece: Bool = false, from address: String? = Echoed.client
  ) async -> Response {
    let echoed = Echoed.sample
    return await app.respond(
      to: Request(
        method: method, url: target, headers: .init(echoed.headers + [("host", echoed.host)]),
        body: body ?? echoed.body, isInOnePiece: isInOnePiece, remoteAddress: address))
  }

  @Test func `a request reaches its route, and the response the client`() async {
    let response = await respond()
    #expect(response.status.code == 201)
    #expect(response.body.string == Echoed.sample.answer)
    let fields = response.headers.map { ($0.name, $0.value) }
    #expect(fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(fields.filter { $0.0 == "set-cookie" }.map(\.1) == Echoed.cookies)
    #expect(log.all.isEmpty)
  }

  @Test func `other paths stay with the application`() async {
    #expect(await respond(.GET, at: "/own").body.string == "own")
    #expect(await respond(.GET, at: "/none").status == .notFound)
    #expect(log.all.isEmpty)
  }

  @Test func `Vapor encodes a malformed percent escape, and no route has it`() async {
    #expect(await respond(.GET, at: "/a%zz").status == .notFound)
    #expect(await respond(.GET, at: "//own").body.string == "own")
    #expect(log.all.isEmpty)
  }

  @Test(arguments: Echoed.malformedTargets.filter { $0 != "/a%zz" } + ["/api//auth/me"])
  func `a malformed target is answered with 400, and logged`(target: String) async {
    let response = await respond(at: target)
    #expect(response.status == .badRequest)
    #expect(response.body.string.contains("http.target-malformed"))
    #expect(log.all.count == 1 && log.all.first?.contains("400 http.target-malformed") == true)
  }

  @Test(arguments: [false, true])
  func `a large body is answered with 413, and logged`(isInOnePiece: Bool) async {
    let body = String(decoding: Echoed.largeBody, as: UTF8.self)
    #expect(await respond(body: body, inOnePiece: isInOnePiece).status == .payloadTooLarge)
    #expect(log.all.count == 1 && log.all.first?.contains("413 http.body-too-large") == true)
  }

  @Test func `a request without an address is refused, and logged`() async {
    #expect(await respond(from: nil).status == .internalServerError)
    #expect(log.all.first?.contains("500 http.internal-error: the connection has no client address") == true)
  }

  @Test func `users sign up, use the application's routes, and confirm`() async throws {
    let app = Application()
    try configure(app, with: try await Echoed.service())
    try await Visit { (method, target, fields, body) in
      let request = Request(
        method: HTTPMethod(rawValue: method), url: target, headers: .init(fields.map { ($0.name, $0.value) }),
        body: body, remoteAddress: Echoed.client)
      let response = await app.respond(to: request)
      return .init(status: Int(response.status.code), fields: Array(response.headers), body: response.body.string)
    }.check { app.logger.notices }
  }

  @Test func `the server runs`() async throws {
    try await runServer()
  }
}
