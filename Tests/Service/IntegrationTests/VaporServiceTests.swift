// SPDX-License-Identifier: Apache-2.0

@testable import IntegrationPages
import Passkeys
import Testing
import VaporStandIn

@Suite struct VaporServiceTests {
  private func respond(
    at target: String, body: String? = nil, from address: String? = Echoed.client
  ) async throws -> (response: Response?, log: [String]) {
    let app = Application()
    try app.register(
      collection: PasskeyServiceRoutes(
        router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"]),
        errors: Echoed.errors))
    let echoed = Echoed.sample
    let request = Request(
      url: target, headers: .init(echoed.headers + [("host", echoed.host)]), body: body ?? echoed.body,
      remoteAddress: address)
    return (await app.respond(to: request), request.logger.notices)
  }

  @Test func `a request reaches its route, and the response the client`() async throws {
    let (answer, log) = try await respond(at: "/api\(Echoed.sample.target)")
    let response = try #require(answer)
    #expect(response.status.code == 201)
    #expect(response.body.string == Echoed.sample.answer)
    let fields = response.headers.map { ($0.name, $0.value) }
    #expect(fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(fields.filter { $0.0 == "set-cookie" }.map(\.1) == Echoed.cookies)
    #expect(log.isEmpty)
  }

  @Test func `other paths stay with the application`() async throws {
    #expect(try await respond(at: Echoed.sample.target).response == nil)
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let (response, log) = try await respond(at: "/api\(target)")
    #expect(response?.status.code == 400)
    #expect(response?.body.string.contains("http.target-malformed") == true)
    #expect(log == ["http.target-malformed"])
  }

  @Test func `a large body is answered with 413, and logged`() async throws {
    let body = String(decoding: Echoed.largeBody, as: UTF8.self)
    let (response, log) = try await respond(at: "/api\(Echoed.sample.target)", body: body)
    #expect(response?.status.code == 413)
    #expect(log.count == 1)
  }

  @Test func `a request without an address is refused, and logged`() async throws {
    let (response, log) = try await respond(at: "/api\(Echoed.sample.target)", from: nil)
    #expect(response?.status.code == 500)
    #expect(log == ["http.internal-error: the request has no client address"])
  }
}
