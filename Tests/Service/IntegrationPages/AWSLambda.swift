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
/// Serves the routes of a router behind an HTTP API of API Gateway: `LambdaRuntime { (event, context) in try await
/// PasskeyFunction(…).answer(to: event, context) }`.
struct PasskeyFunction: Sendable {
  let router: EndpointRouter
  let crossOrigin: CrossOriginPolicy
  let errors: ErrorResponses

  func answer(to event: APIGatewayV2Request, _ context: LambdaContext) async throws -> APIGatewayV2Response {
    do {
      return answer(await crossOrigin.respond(to: try received(event), by: router.respond))
    } catch let error as EndpointError {
      context.logger.notice("\(error)")
      return answer(errors.response(to: error, requestID: .random()))
    }
  }

  private func received(_ event: APIGatewayV2Request) throws -> EndpointRequest {
    guard let client = IPAddress(event.context.http.sourceIp) else {
      throw EndpointError(.internalError, detail: "the event has no client address")
    }
    var headers = EndpointHeaders()
    for (name, value) in event.headers { headers.add(name, value) }
    // API Gateway takes the cookies out of the header fields.
    for cookie in event.cookies { headers.add("cookie", cookie) }
    let text = event.body ?? ""
    let body = event.isBase64Encoded ? [UInt8](Data(base64Encoded: text) ?? Data()) : [UInt8](text.utf8)
    guard body.count <= 65_536 else { throw EndpointError(.bodyTooLarge) }
    let target = event.rawQueryString.isEmpty ? event.rawPath : "\(event.rawPath)?\(event.rawQueryString)"
    return EndpointRequest(
      method: EndpointMethod(rawValue: event.context.http.method.rawValue), target: try RequestTarget(target.utf8),
      headers: headers, body: body, peer: client, isEncrypted: true, receivedAt: .now)
  }
}
// [until here]

// [shown]
extension PasskeyFunction {
  private func answer(_ response: EndpointResponse) -> APIGatewayV2Response {
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
