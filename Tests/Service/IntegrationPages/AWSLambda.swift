// SPDX-License-Identifier: Apache-2.0

// [shown]
import AWSLambdaEventsStandIn
import AWSLambdaRuntimeStandIn
import Foundation
import HTTPTypesStandIn
import LoggingStandIn
import Passkeys
// [until here]

// [shown]
/// Serves the endpoints and your routes behind an HTTP API of API Gateway.
struct PasskeyFunction: Sendable {
  let passkeys: EndpointResponder

  func answer(to event: APIGatewayV2Request) async -> APIGatewayV2Response {
    let response = await passkeys.respond { try received(event) }
    var fields: [String: String] = [:]
    for field in response.headers.fields where field.name != "set-cookie" {
      fields[field.name] = response.headers[field.name]
    }
    // Bodies that are no text, such as compressed ones, travel in base64.
    let text = String(validating: response.body, as: UTF8.self)
    return APIGatewayV2Response(
      statusCode: .init(code: response.status.rawValue), headers: fields,
      body: text ?? Data(response.body).base64EncodedString(), isBase64Encoded: text == nil,
      cookies: response.headers.values("set-cookie"))
  }

  private func received(_ event: APIGatewayV2Request) throws -> EndpointRequest {
    var fields = event.headers.map { (name: $0.key, value: $0.value) }
    // API Gateway takes the cookies out of the header fields.
    for cookie in event.cookies { fields.append((name: "cookie", value: cookie)) }
    let text = event.body ?? ""
    let body = event.isBase64Encoded ? [UInt8](Data(base64Encoded: text) ?? Data()) : [UInt8](text.utf8)
    let target = event.rawQueryString.isEmpty ? event.rawPath : "\(event.rawPath)?\(event.rawQueryString)"
    return try EndpointRequest(
      event.context.http.method.rawValue, target, headers: fields, body: body, peer: event.context.http.sourceIp,
      isEncrypted: true)
  }
}
// [until here]

// [shown]
/// Runs the function. Routes of your own are in the array, as on the page of SwiftNIO.
func runFunction(for service: AuthService, _ routes: [EndpointRoute], logger: Logger) async throws {
  let passkeys = try EndpointResponder(Endpoints(service: service), adding: routes) { logger.notice("\($0)") }
  let function = PasskeyFunction(passkeys: passkeys)
  let runtime = LambdaRuntime(logger: logger) { (event: APIGatewayV2Request, _: LambdaContext) in
    await function.answer(to: event)
  }
  try await runtime.run()
}
// [until here]
