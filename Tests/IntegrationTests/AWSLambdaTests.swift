// SPDX-License-Identifier: Apache-2.0

import LambdaStandIn
import Passkeys
import Testing

// [shown]
/// Serves the routes of a router behind an HTTP API of API Gateway: `LambdaRuntime { (event, _) in try await
/// PasskeyFunction(…).answer(to: event) }`.
struct PasskeyFunction: Sendable {
  let router: Router
  let crossOrigin: CrossOriginPolicy

  func answer(to event: APIGatewayV2Request) async throws -> APIGatewayV2Response {
    guard let client = IPAddress(event.context.http.sourceIp) else { return .init(statusCode: .init(code: 400)) }
    var headers = HTTPHeaders()
    for (name, value) in event.headers { headers.add(name, value) }
    // API Gateway takes the cookies out of the header fields.
    for cookie in event.cookies ?? [] { headers.add("cookie", cookie) }
    let text = event.body ?? ""
    let body = event.isBase64Encoded ? try Base64.decode(text) : [UInt8](text.utf8)
    let target = event.rawQueryString.isEmpty ? event.rawPath : "\(event.rawPath)?\(event.rawQueryString)"
    let request = try PasskeyHTTP.HTTPRequest(
      method: HTTPMethod(rawValue: event.context.http.method.rawValue), target: RequestTarget(target.utf8),
      headers: headers, body: Bytes(body), peer: client, isEncrypted: true, receivedAt: .now)
    let response = await crossOrigin.respond(to: request, by: router.respond)
    var fields: [String: String] = [:]
    for field in response.headers.fields where field.name != "set-cookie" {
      fields[field.name] = response.headers[field.name]
    }
    return APIGatewayV2Response(
      statusCode: .init(code: response.status.rawValue), headers: fields,
      body: String(decoding: response.body, as: UTF8.self), cookies: response.headers.values("set-cookie"))
  }
}
// [until here]

@Suite struct AWSLambdaTests {
  private func answer(
    _ echoed: Echoed, from address: String = Echoed.client, isBase64Encoded: Bool = false
  ) async throws -> APIGatewayV2Response {
    let parts = echoed.target.split(separator: "?").map(String.init)
    let fields = echoed.headers + [("host", echoed.host)]
    let event = APIGatewayV2Request(
      method: echoed.method, sourceIp: address, rawPath: parts[0], rawQueryString: parts[1], cookies: nil,
      // API Gateway joins repeated fields with a comma.
      headers: Dictionary(fields) { (first, second) in "\(first), \(second)" },
      body: isBase64Encoded ? Base64.encode(echoed.body.utf8) : echoed.body, isBase64Encoded: isBase64Encoded)
    return try await PasskeyFunction(
      router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"])
    ).answer(to: event)
  }

  @Test(arguments: [false, true])
  func `an event reaches its route, and the response the gateway`(isBase64Encoded: Bool) async throws {
    let response = try await answer(.sample, isBase64Encoded: isBase64Encoded)
    #expect(response.statusCode.code == 201)
    #expect(response.body == Echoed.sample.answer)
    #expect(response.headers?["access-control-allow-origin"] == "https://raxx.app")
    #expect(response.headers?["set-cookie"] == nil)
    #expect(response.cookies == Echoed.cookies)
  }

  @Test func `the cookies of an event reach the route`() async throws {
    let router = try Router([
      Route(.get, "/") { (request) in
        PasskeyHTTP.HTTPResponse(
          .ok, contentType: "text/plain", body: [UInt8]((request.headers.cookie("b", isSecure: false) ?? "-").utf8))
      }
    ])
    let event = APIGatewayV2Request(
      method: "GET", sourceIp: Echoed.client, rawPath: "/", rawQueryString: "", cookies: ["a=1", "b=2"], headers: [:],
      body: nil, isBase64Encoded: false)
    let function = PasskeyFunction(router: router, crossOrigin: CrossOriginPolicy(origins: []))
    #expect(try await function.answer(to: event).body == "2")
  }

  @Test func `an event without an address is refused`() async throws {
    #expect(try await answer(.sample, from: "").statusCode.code == 400)
  }
}
