// SPDX-License-Identifier: Apache-2.0

import HummingbirdStandIn
import Passkeys
import Testing

// [shown]
/// Serves the routes of a router: `Application(responder: PasskeyResponder<AppContext>(…))`.
struct PasskeyResponder<Context: RemoteAddressRequestContext>: HTTPResponder {
  let router: PasskeyHTTP.Router
  let crossOrigin: CrossOriginPolicy

  func respond(to request: Request, context: Context) async throws -> Response {
    guard let client = IPAddress(context.remoteAddress?.ipAddress ?? "") else { return answer(.badRequest) }
    var headers = HTTPHeaders()
    for field in request.headers { headers.add(field.name.rawName, field.value) }
    // Hummingbird keeps the value of Host outside the header fields.
    if let host = request.head.authority { headers.add("host", host) }
    let body = try await request.body.collect(upTo: 65_536)
    let received = try PasskeyHTTP.HTTPRequest(
      method: HTTPMethod(rawValue: request.method.rawValue), target: RequestTarget((request.head.path ?? "/").utf8),
      headers: headers, body: Bytes(body.readableBytesView), peer: client, receivedAt: .now)
    return answer(await crossOrigin.respond(to: received, by: router.respond))
  }

  private func answer(_ status: HTTPStatus) -> Response {
    answer(PasskeyHTTP.HTTPResponse(status))
  }

  private func answer(_ response: PasskeyHTTP.HTTPResponse) -> Response {
    var fields = HTTPFields()
    for field in response.headers.fields {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    return Response(
      status: .init(code: response.status.rawValue), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
  }
}
// [until here]

private struct AppContext: RemoteAddressRequestContext {
  let remoteAddress: SocketAddress?
}

@Suite struct HummingbirdTests {
  private func respond(_ echoed: Echoed, from address: String?) async throws -> Response {
    var fields = HTTPFields()
    for (name, value) in echoed.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let head = HTTPRequest(method: echoed.method, authority: echoed.host, path: echoed.target, headerFields: fields)
    let responder = PasskeyResponder<AppContext>(
      router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"]))
    return try await responder.respond(
      to: Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: echoed.body.utf8))),
      context: AppContext(remoteAddress: SocketAddress(ipAddress: address)))
  }

  @Test func `a request reaches its route, and the response the client`() async throws {
    let response = try await respond(.sample, from: Echoed.client)
    #expect(response.status.code == 201)
    #expect(String(decoding: response.body.buffer.readableBytesView, as: UTF8.self) == Echoed.sample.answer)
    let fields = response.headers.map { ($0.name.rawName, $0.value) }
    #expect(fields.contains { $0 == ("access-control-allow-origin", "https://raxx.app") })
    #expect(fields.filter { $0.0 == "set-cookie" }.map(\.1) == Echoed.cookies)
  }

  @Test func `a request without an address is refused`() async throws {
    #expect(try await respond(.sample, from: nil).status.code == 400)
  }
}
