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
  private let context = LambdaContext(logger: Logger())

  private func answer(
    _ echoed: Echoed = .sample, to target: String? = nil, body: String? = nil, from address: String = Echoed.client,
    isBase64Encoded: Bool = false
  ) async throws -> APIGatewayV2Response {
    let parts = (target ?? echoed.target).split(separator: "?").map(String.init)
    let fields = echoed.headers + [("host", echoed.host)]
    let body = body ?? echoed.body
    let event = APIGatewayV2Request(
      method: try #require(.init(rawValue: echoed.method)), sourceIp: address, rawPath: parts[0],
      rawQueryString: parts.count > 1 ? parts[1] : "",
      cookies: [],
      // API Gateway joins repeated fields with a comma.
      headers: Dictionary(fields) { (first, second) in "\(first), \(second)" },
      body: isBase64Encoded ? Base64.encode(body.utf8) : body, isBase64Encoded: isBase64Encoded)
    return try await PasskeyFunction(
      router: try Echoed.router(), crossOrigin: CrossOriginPolicy(origins: ["https://raxx.app"]), errors: Echoed.errors
    ).answer(to: event, context)
  }

  @Test(arguments: [false, true])
  func `an event reaches its route, and the response the gateway`(isBase64Encoded: Bool) async throws {
    let response = try await answer(isBase64Encoded: isBase64Encoded)
    #expect(response.statusCode.code == 201)
    #expect(response.body == Echoed.sample.answer)
    #expect(response.headers?["access-control-allow-origin"] == "https://raxx.app")
    #expect(response.headers?["set-cookie"] == nil)
    #expect(response.cookies == Echoed.cookies)
  }

  @Test func `the cookies of an event reach the route`() async throws {
    let router = try EndpointRouter([
      EndpointRoute(.get, "/") { (request) in
        EndpointResponse(
          .ok, contentType: "text/plain", body: [UInt8]((request.headers.cookie("b", isSecure: false) ?? "-").utf8))
      }
    ])
    let event = APIGatewayV2Request(
      method: try #require(.init(rawValue: "GET")), sourceIp: Echoed.client, rawPath: "/", rawQueryString: "",
      cookies: ["a=1", "b=2"], headers: [:],
      body: nil, isBase64Encoded: false)
    let function = PasskeyFunction(
      router: router, crossOrigin: CrossOriginPolicy(origins: []), errors: Echoed.errors)
    #expect(try await function.answer(to: event, context).body == "2")
  }

  @Test(arguments: Echoed.malformedTargets)
  func `a malformed target is answered with 400, and logged`(target: String) async throws {
    let response = try await answer(to: target)
    #expect(response.statusCode.code == 400)
    #expect(response.body?.contains("http.target-malformed") == true)
    #expect(context.logger.notices == ["http.target-malformed"])
  }

  @Test(arguments: [false, true])
  func `a large body is answered with 413, and logged`(isBase64Encoded: Bool) async throws {
    let body = String(decoding: Echoed.largeBody, as: UTF8.self)
    #expect(try await answer(body: body, isBase64Encoded: isBase64Encoded).statusCode.code == 413)
    #expect(context.logger.notices == ["http.body-too-large"])
  }

  @Test func `an event without an address is refused, and logged`() async throws {
    #expect(try await answer(from: "").statusCode.code == 500)
    #expect(context.logger.notices == ["http.internal-error: the event has no client address"])
  }
}
