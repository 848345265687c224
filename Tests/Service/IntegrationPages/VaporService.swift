// SPDX-License-Identifier: Apache-2.0

// [shown]
import Passkeys
import VaporStandIn
// [until here]

// [shown]
/// Serves the sign-in service: `try app.register(collection: PasskeyServiceRoutes(…))`.
struct PasskeyServiceRoutes: RouteCollection {
  let router: EndpointRouter
  let crossOrigin: CrossOriginPolicy
  let errors: ErrorResponses

  func boot(routes: any RoutesBuilder) throws {
    // Routes of your own under these paths take precedence.
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
      routes.on(.init(rawValue: method), "api", "**", body: .collect(maxSize: "64kb"), use: serve)
      routes.on(.init(rawValue: method), ".well-known", "**", body: .collect(maxSize: "64kb"), use: serve)
    }
  }

  func serve(_ request: Request) async throws -> Response {
    do {
      return answer(await crossOrigin.respond(to: try received(request), by: router.respond))
    } catch let error as EndpointError {
      request.logger.notice("\(error)")
      return answer(errors.response(to: error, requestID: .random()))
    }
  }

  private func received(_ request: Request) throws -> EndpointRequest {
    guard let client = IPAddress(request.remoteAddress?.ipAddress ?? "") else {
      throw EndpointError(.internalError, detail: "the request has no client address")
    }
    var headers = EndpointHeaders()
    for field in request.headers { headers.add(field.name, field.value) }
    return EndpointRequest(
      method: EndpointMethod(rawValue: request.method.rawValue),
      target: try RequestTarget(request.url.string.utf8), headers: headers,
      body: request.body.data.map { [UInt8]($0.readableBytesView) } ?? [], peer: client, receivedAt: .now)
  }
}
// [until here]

// [shown]
extension PasskeyServiceRoutes {
  private func answer(_ response: EndpointResponse) -> Response {
    Response(
      status: .init(statusCode: response.status.rawValue),
      headers: .init(response.headers.fields.map { ($0.name, $0.value) }),
      body: .init(buffer: ByteBuffer(bytes: response.body)))
  }
}
// [until here]
