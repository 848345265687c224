// SPDX-License-Identifier: Apache-2.0

#if Metrics
internal import Metrics
internal import PasskeyFormats

extension EndpointRouter {
  /// Returns this router with metrics of the system's factory: the counters `passkey.requests` by method, route and status
  /// and `passkey.refusals` by route and code, and the timer `passkey.request.duration` by route.
  public func recordingMetrics() -> EndpointRouter {
    observed(by: RequestMetrics())
  }
}

private struct RequestMetrics: RequestObserver {
  func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse {
    let beginning = ContinuousClock.now
    let response = await respond(request)
    // Clients can send any path, so those without a route share a value.
    let route = ("route", response.route ?? "none")
    Metrics.Counter(
      label: "passkey.requests",
      dimensions: [("method", request.method.label), route, ("status", String(response.status.rawValue))]
    ).increment()
    Metrics.Timer(label: "passkey.request.duration", dimensions: [route])
      .recordNanoseconds((ContinuousClock.now - beginning).nanoseconds)
    if let error = response.error {
      Metrics.Counter(
        label: "passkey.refusals", dimensions: [route, ("code", RequestFailure(error).code)]
      ).increment()
    }
    return response
  }
}
#endif
