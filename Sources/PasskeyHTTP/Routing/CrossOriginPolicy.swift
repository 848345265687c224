// SPDX-License-Identifier: Apache-2.0

/// Which web pages of other origins may call here (CORS, as the Fetch standard has it): a page of `https://raxx.app` calls
/// `https://api.raxx.app`, and its browser asks before it lets the page do so.
///
/// Origins are compared as they are written, whole. Nobody is let in by a pattern, and never everybody.
public struct CrossOriginPolicy: Sendable {
  /// The origins whose pages may call, such as `https://raxx.app`.
  public let origins: Set<String>

  /// Whether their calls come with cookies.
  public let allowsCookies: Bool

  /// The header fields that they may send, besides those that any page may.
  public let requestHeaders: [String]

  /// The header fields of an answer that they may read, besides those that any page may.
  public let responseHeaders: [String]

  // What a page of these origins is told besides, which is put together once.
  private var toQuestions: HTTPHeaders
  private var toCalls: HTTPHeaders

  // Ten minutes  [what a browser may keep without asking again; a change of the policy is in force behind it]
  private static let maximumAge = 600

  /// Lets the pages of some origins call.
  public init(
    origins: Set<String>, allowsCookies: Bool = false, requestHeaders: [String] = ["authorization", "content-type"],
    responseHeaders: [String] = ["retry-after", "www-authenticate", "x-request-id", HTTPResponse.sessionWarningHeader]
  ) {
    self.origins = origins
    self.allowsCookies = allowsCookies
    self.requestHeaders = requestHeaders
    self.responseHeaders = responseHeaders
    let allowed = allowsCookies ? HTTPHeaders(["access-control-allow-credentials": "true"]) : HTTPHeaders()
    (toQuestions, toCalls) = (allowed, allowed)
    toQuestions.add("access-control-allow-headers", requestHeaders.joined(separator: ", "))
    toQuestions.add("access-control-max-age", String(Self.maximumAge))
    toCalls.add("access-control-expose-headers", responseHeaders.joined(separator: ", "))
  }

  /// Answers a request by `handler`, and tells the browser whether the page may have the answer.
  ///
  /// A page of another origin gets no such word, and its browser keeps the answer from it. The question that a browser
  /// asks before a call is an `OPTIONS` request; which methods there are is known to `handler`.
  public func respond(to request: HTTPRequest, by handler: HTTPHandler) async -> HTTPResponse {
    var response = await handler(request)
    guard !origins.isEmpty else { return response }
    // What a cache keeps for one origin is not for another.
    response.headers.add(Self.varying)
    guard let origin = request.headers["origin"], origins.contains(origin) else { return response }
    response.headers.set("access-control-allow-origin", origin)
    let isQuestion = request.method == .options && request.headers["access-control-request-method"] != nil
    if isQuestion, let allowed = response.headers["allow"] {
      response.headers.set("access-control-allow-methods", allowed)
      response.headers.add(toQuestions)
    } else {
      response.headers.add(toCalls)
    }
    return response
  }

  private static let varying = HTTPHeaders(["vary": "Origin"])
}
