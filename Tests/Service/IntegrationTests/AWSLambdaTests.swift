// SPDX-License-Identifier: Apache-2.0

import AWSLambdaEventsStandIn
import AWSLambdaRuntimeStandIn
import HTTPTypesStandIn
@testable import IntegrationPages
import LoggingStandIn
import PasskeyFormats
import Passkeys
import Testing

@Suite struct AWSLambdaTests {
  private let log = Lines()

  private func event(
    _ method: String = Echoed.sample.method, to target: String = Echoed.sample.target, _ fields: [(String, String)],
    _ body: String, from address: String = Echoed.client, isBase64Encoded: Bool = false
  ) throws -> APIGatewayV2Request {
    let parts = target.split(separator: "?").map(String.init)
    return APIGatewayV2Request(
      method: try #require(.init(rawValue: method)), sourceIp: address, rawPath: parts[0],
      rawQueryString: parts.count > 1 ? parts[1] : "", cookies: ["a=1", "b=2"],
      // API Gateway joins repeated fields with a comma.
      headers: Dictionary(fields) { (first, second) in "\(first), \(second)" },
      body: isBase64Encoded ? Base64.encode(body.utf8) : body, isBase64Encoded: isBase64Encoded)
  }

  private func answer(
    to target: String = Echoed.sample.target, body: String? = nil, from address: String = Echoed.client,
    isBase64Encoded: Bool = false
  ) async throws -> APIGatewayV2Response {
    let echoed = Echoed.sample
    return try await PasskeyFunction(passkeys: try await Echoed.responder(log)).answer(
      to: event(
        to: target, echoed.headers + [("host", echoed.host)], body ?? echoed.body, from: address,
        isBase64Encoded: isBase64Encoded))
  }

  @Test(arguments: [false, true])
  func `an event reaches its route, and the response the gateway`(isBase64Encoded: Bool) async throws {
    let response = try await answer(isBase64Encoded: isBase64Encoded)
    #expect(response.statusCode.code == 201)
    #expect(response.body == Echoed.sample.answer)
    #expect(response.headers?["access-control-allow-origin"] == "https://raxx.app")
    #expect(response.headers?["cache-control"] == "no-store")
    #expect(response.headers?["set-cookie"] == nil)
    #expect(response.cookies == Echoed.cookies)
  }

  @Test func `a body that is no text travels in base64`() async throws {
    let route = EndpointRoute(.get, "/picture") { (_) in
      EndpointResponse(.ok, contentType: "image/png", body: [0x89, 0xff])
    }
    let passkeys = try EndpointResponder(Endpoints(service: try await Echoed.service()), adding: [route]) { (_) in }
    let response = await PasskeyFunction(passkeys: passkeys).answer(to: try event("GET", to: "/picture", [], ""))
    #expect(response.body == "if8=" && response.isBase64Encoded == true)
  }

  @Test func `the runtime passes on events, and their cookies reach the route`() async throws {
    let route = EndpointRoute(.get, "/cookie") { (request) in
      EndpointResponse(
        .ok, contentType: "text/plain", body: [UInt8]((request.headers.cookie("b", isSecure: false) ?? "-").utf8))
    }
    let (service, waiting, answers) = (try await Echoed.service(), try event("GET", to: "/cookie", [], ""), Lines())
    try await LambdaEvents.$waiting.withValue([waiting]) {
      try await LambdaEvents.$received.withValue({ answers.add(($0 as? APIGatewayV2Response)?.body ?? "-") }) {
        try await runFunction(for: service, [route], logger: Logger(label: ""))
      }
    }
    #expect(answers.all == ["2"])
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let response = try await answer(to: target)
    #expect(response.statusCode.code == 400)
    #expect(response.body?.contains("http.target-malformed") == true)
    #expect(log.all.count == 1)
  }

  @Test(arguments: [false, true])
  func `a large body is answered with 413, and logged`(isBase64Encoded: Bool) async throws {
    let body = String(decoding: Echoed.largeBody, as: UTF8.self)
    #expect(try await answer(body: body, isBase64Encoded: isBase64Encoded).statusCode.code == 413)
    #expect(log.all.count == 1 && log.all.first?.contains("413 http.body-too-large") == true)
  }

  @Test func `an event without an address is refused, and logged`() async throws {
    #expect(try await answer(from: "").statusCode.code == 500)
    #expect(log.all.first?.contains("500 http.internal-error: the connection has no client address") == true)
  }
}
