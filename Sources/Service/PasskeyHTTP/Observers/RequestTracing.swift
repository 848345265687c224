// SPDX-License-Identifier: Apache-2.0

#if Tracing
internal import PasskeyProfiles
internal import Tracing

extension EndpointRouter {
  /// Returns this router with a span of the system's tracer for each request, below the span of the caller, and one for
  /// each ceremony in it.
  ///
  /// The attributes of a request are `http.request.method`, `http.route`, `http.response.status_code`,
  /// `passkey.request`, and for a refusal or failure `passkey.code` and `passkey.step`.
  public func tracing() -> EndpointRouter {
    observed(by: RequestTracing())
  }
}

private struct RequestTracing: RequestObserver {
  func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse {
    var context = ServiceContext.current ?? .topLevel
    InstrumentationSystem.instrument.extract(request.headers, into: &context, using: HeaderExtractor())
    return await withSpan(request.method.label, context: context, ofKind: .server) { (span) in
      let response = await respond(request)
      span.attributes["http.request.method"] = request.method.label
      span.attributes["http.response.status_code"] = response.status.rawValue
      span.attributes["passkey.request"] = request.id.description
      if let route = response.route {
        span.operationName = "\(request.method.label) \(route)"
        span.attributes["http.route"] = route
      }
      if let error = response.error {
        let failure = RequestFailure(error)
        span.attributes["passkey.code"] = failure.code
        if let step = failure.step { span.attributes["passkey.step"] = step }
      }
      if response.status.rawValue >= 500 { span.setStatus(SpanStatus(code: .error)) }
      return response
    }
  }
}

private struct HeaderExtractor: Extractor {
  func extract(key: String, from headers: EndpointHeaders) -> String? { headers[key] }
}

extension Endpoint {
  /// Runs a ceremony in a span, and other work without one.
  func traced<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard isCeremony else { return try await body() }
    // A span records an error that leaves it, with its description, which can have values of the client.
    let result: Result<Value, any Error> = await withSpan("passkey \(name.rawValue)") { (_) in
      do {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
#else
extension Endpoint {
  /// Runs the work of a request, without a span.
  func traced<Value>(_ body: () async throws -> Value) async throws -> Value { try await body() }
}
#endif
