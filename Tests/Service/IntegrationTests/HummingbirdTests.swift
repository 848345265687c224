// SPDX-License-Identifier: Apache-2.0

import HTTPTypesStandIn
import HummingbirdStandIn
@testable import IntegrationPages
import LoggingStandIn
import NIOCoreStandIn
import Passkeys
import Testing

private final class Peer: Channel {
  let remoteAddress: SocketAddress?

  init(_ address: String?) {
    remoteAddress = SocketAddress(ipAddress: address)
  }

  func write(_ value: Any) {}
}

@Suite struct HummingbirdTests {
  private let app: Application<PasskeyResponder<AppContext>>

  init() throws {
    app = Application(
      responder: PasskeyResponder<AppContext>(
        router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"]),
        errors: Echoed.errors))
  }

  private func respond(
    _ echoed: Echoed = .sample, to target: String? = nil, body: [UInt8]? = nil, from address: String? = Echoed.client
  ) async throws -> Response {
    var fields = HTTPFields()
    for (name, value) in echoed.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let head = HTTPRequest(
      method: try #require(.init(rawValue: echoed.method)), authority: echoed.host, path: target ?? echoed.target,
      headerFields: fields)
    let body = RequestBody(buffer: ByteBuffer(bytes: body ?? Array(echoed.body.utf8)))
    return await app.respond(to: Request(head: head, body: body), on: Peer(address))
  }

  @Test func `a request reaches its route, and the response the client`() async throws {
    let response = try await respond()
    #expect(response.status.code == 201)
    #expect(String(decoding: response.body.buffer.readableBytesView, as: UTF8.self) == Echoed.sample.answer)
    let fields = response.headers.map { ($0.name.rawName, $0.value) }
    #expect(fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(fields.filter { $0.0 == "set-cookie" }.map(\.1) == Echoed.cookies)
    #expect(app.logger.notices.isEmpty)
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let response = try await respond(to: target)
    #expect(response.status.code == 400)
    #expect(String(decoding: response.body.buffer.readableBytesView, as: UTF8.self).contains("http.target-malformed"))
    #expect(app.logger.notices == ["http.target-malformed"])
  }

  @Test func `a large body is answered with 413, and logged`() async throws {
    #expect(try await respond(body: Echoed.largeBody).status.code == 413)
    #expect(app.logger.notices == ["http.body-too-large"])
  }

  @Test func `a request without an address is refused, and logged`() async throws {
    #expect(try await respond(from: nil).status.code == 500)
    #expect(app.logger.notices == ["http.internal-error: the request has no client address"])
  }
}
