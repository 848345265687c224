// SPDX-License-Identifier: Apache-2.0

#if Logging
public import Logging
internal import PasskeyService

extension EndpointRouter {
  /// Returns this router with a log line for each request that it refuses, at the level `info`, and for each that fails,
  /// at the level `error`.
  ///
  /// The metadata are `passkey.code`, `passkey.step` of the standard, `passkey.request`, `http.method`, `http.route`,
  /// `http.status`, and `trace.id` of a request with `traceparent`. They have no secrets and nothing that a client chose.
  public func logging(to logger: Logger) -> EndpointRouter {
    observed(by: RequestLogging(logger: logger))
  }
}

private struct RequestLogging: RequestObserver {
  let logger: Logger

  func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse {
    let response = await respond(request)
    guard let error = response.error else { return response }
    let failure = RequestFailure(error)
    var metadata: Logger.Metadata = [
      "passkey.code": .string(failure.code), "passkey.request": .string(request.id.description),
      "http.method": .string(request.method.label), "http.status": .stringConvertible(response.status.rawValue),
    ]
    if let step = failure.step { metadata["passkey.step"] = .stringConvertible(step) }
    if let route = response.route { metadata["http.route"] = .string(route) }
    if let trace = request.traceParent { metadata["trace.id"] = .string(trace.traceID) }
    if response.status.rawValue >= 500 {
      logger.log(level: .error, "request failed", metadata: metadata)
    } else {
      logger.log(level: .info, "request refused", metadata: metadata)
    }
    return response
  }
}
#endif
