// SPDX-License-Identifier: Apache-2.0

// [shown]
import HTTPTypesStandIn
import HummingbirdStandIn
import LoggingStandIn
import NIOCoreStandIn
import Passkeys
// [until here]

// [shown]
/// Serves the routes of a router: `Application(responder: PasskeyResponder<AppContext>(…))`.
struct PasskeyResponder<Context: RemoteAddressRequestContext>: HTTPResponder {
  let router: EndpointRouter
  let crossOrigin: CrossOriginPolicy
  let errors: ErrorResponses

  func respond(to request: Request, context: Context) async throws -> Response {
    do {
      return answer(await crossOrigin.respond(to: try await received(request, context), by: router.respond))
    } catch let error as EndpointError {
      context.logger.notice("\(error)")
      return answer(errors.response(to: error, requestID: .random()))
    }
  }

  private func received(_ request: Request, _ context: Context) async throws -> EndpointRequest {
    guard let client = IPAddress(context.remoteAddress?.ipAddress ?? "") else {
      throw EndpointError(.internalError, detail: "the request has no client address")
    }
    var headers = EndpointHeaders()
    for field in request.headers { headers.add(field.name.rawName, field.value) }
    // Hummingbird keeps the value of Host outside the header fields.
    if let host = request.head.authority { headers.add("host", host) }
    let target = try RequestTarget((request.head.path ?? "/").utf8)
    do {
      let body = try await request.body.collect(upTo: 65_536)
      return EndpointRequest(
        method: EndpointMethod(rawValue: request.method.rawValue), target: target, headers: headers,
        body: body.readableBytesView, peer: client, receivedAt: .now)
    } catch is NIOTooManyBytesError { throw EndpointError(.bodyTooLarge) }
  }
}
// [until here]

// [shown]
extension PasskeyResponder {
  private func answer(_ response: EndpointResponse) -> Response {
    var fields = HTTPFields()
    for field in response.headers.fields {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    return Response(
      status: .init(code: response.status.rawValue), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
  }
}

/// Your request context. Rate limits count requests by the client's address.
struct AppContext: RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    remoteAddress = source.channel.remoteAddress
  }
}
// [until here]
