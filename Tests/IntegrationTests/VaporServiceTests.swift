// SPDX-License-Identifier: Apache-2.0

import Passkeys
import Testing
import VaporStandIn

// [shown]
/// Serves the sign-in service: `try app.register(collection: PasskeyServiceRoutes(…))`.
struct PasskeyServiceRoutes: RouteCollection {
  let router: PasskeyHTTP.Router
  let crossOrigin: CrossOriginPolicy

  func boot(routes: any RoutesBuilder) throws {
    // Routes of your own under these paths take precedence.
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
      routes.on(.init(rawValue: method), "api", "**", body: .collect(maxSize: "64kb"), use: serve)
      routes.on(.init(rawValue: method), ".well-known", "**", body: .collect(maxSize: "64kb"), use: serve)
    }
  }

  func serve(_ request: Request) async throws -> Response {
    guard let client = IPAddress(request.remoteAddress?.ipAddress ?? "") else { throw Abort(.badRequest) }
    var headers = PasskeyHTTP.HTTPHeaders()
    for field in request.headers { headers.add(field.name, field.value) }
    let received = try HTTPRequest(
      method: PasskeyHTTP.HTTPMethod(rawValue: request.method.rawValue), target: RequestTarget(request.url.string.utf8),
      headers: headers, body: request.body.data.map { Bytes($0.readableBytesView) } ?? [], peer: client,
      receivedAt: .now)
    let answer = await crossOrigin.respond(to: received, by: router.respond)
    return Response(
      status: .init(statusCode: answer.status.rawValue),
      headers: .init(answer.headers.fields.map { ($0.name, $0.value) }),
      body: .init(buffer: ByteBuffer(bytes: answer.body)))
  }
}
// [until here]

@Suite struct VaporServiceTests {
  private func respond(_ echoed: Echoed, at target: String, from address: String?) async throws -> Response? {
    let app = Application()
    try app.register(
      collection: PasskeyServiceRoutes(
        router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"])))
    return try await app.respond(
      to: Request(
        url: target, headers: .init(echoed.headers + [("host", echoed.host)]), body: echoed.body,
        remoteAddress: address))
  }

  @Test func `a request reaches its route, and the response the client`() async throws {
    let response = try #require(
      await respond(.sample, at: "/api\(Echoed.sample.target)", from: Echoed.client))
    #expect(response.status.code == 201)
    #expect(response.body.string == Echoed.sample.answer)
    let fields = response.headers.map { ($0.name, $0.value) }
    #expect(fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(fields.filter { $0.0 == "set-cookie" }.map(\.1) == Echoed.cookies)
  }

  @Test func `other paths stay with the application`() async throws {
    #expect(try await respond(.sample, at: Echoed.sample.target, from: Echoed.client) == nil)
  }

  @Test func `a request without an address is refused`() async throws {
    let response = try await respond(.sample, at: "/api\(Echoed.sample.target)", from: nil)
    #expect(response?.status.code == 400)
  }
}
