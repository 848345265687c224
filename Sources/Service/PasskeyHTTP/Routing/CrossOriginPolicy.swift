// SPDX-License-Identifier: Apache-2.0

extension EndpointRouter {
  /// The web origins that may call the server (CORS, Fetch standard). For example, a page of `https://raxx.app` calls
  /// `https://api.raxx.app` after a preflight request by its browser.
  ///
  /// Origins must match exactly. There are no patterns, and no wildcard.
  public struct CrossOriginPolicy: Sendable {
    /// The allowed origins, such as `https://raxx.app`.
    public let origins: Set<String>

    /// Whether cross-origin requests may carry cookies.
    public let allowsCookies: Bool

    /// The request header fields that the origins may send, in addition to the CORS-safelisted ones.
    public let requestHeaders: [String]

    /// The response header fields that the origins may read, in addition to the CORS-safelisted ones.
    public let responseHeaders: [String]

    // The CORS headers of a response, computed once.
    private var preflightFields: EndpointHeaders
    private var callFields: EndpointHeaders

    // Ten minutes  [how long browsers cache a preflight response; a policy change takes effect after that]
    private static let maximumAge = 600

    /// Creates a policy that allows these origins.
    public init(
      origins: Set<String>, allowsCookies: Bool = false, requestHeaders: [String] = ["authorization", "content-type"],
      responseHeaders: [String] = [
        "date", "retry-after", "www-authenticate", "x-request-id", EndpointResponse.sessionWarningHeader,
      ]
    ) {
      self.origins = origins
      self.allowsCookies = allowsCookies
      self.requestHeaders = requestHeaders
      self.responseHeaders = responseHeaders
      let allowed = allowsCookies ? EndpointHeaders(["access-control-allow-credentials": "true"]) : EndpointHeaders()
      (preflightFields, callFields) = (allowed, allowed)
      preflightFields.add("access-control-allow-headers", requestHeaders.joined(separator: ", "))
      preflightFields.add("access-control-max-age", String(Self.maximumAge))
      callFields.add("access-control-expose-headers", responseHeaders.joined(separator: ", "))
    }

    /// Passes a request to `handler`, and adds the CORS headers to its response.
    ///
    /// Without these headers, browsers hide the response from pages of other origins. A preflight is an `OPTIONS`
    /// request; `handler` answers it with the allowed methods.
    public func respond(to request: EndpointRequest, by handler: EndpointHandler) async -> EndpointResponse {
      var response = await handler(request)
      guard !origins.isEmpty else { return response }
      // A cached response for one origin must not be used for another.
      response.headers.add(Self.varying)
      guard let origin = request.headers["origin"], origins.contains(origin) else { return response }
      response.headers.set("access-control-allow-origin", origin)
      let isPreflight = request.method == .options && request.headers["access-control-request-method"] != nil
      if isPreflight, let allowed = response.headers["allow"] {
        response.headers.set("access-control-allow-methods", allowed)
        response.headers.add(preflightFields)
      } else {
        response.headers.add(callFields)
      }
      return response
    }

    private static let varying = EndpointHeaders(["vary": "Origin"])
  }
}
