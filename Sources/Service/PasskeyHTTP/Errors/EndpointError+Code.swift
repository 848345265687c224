// SPDX-License-Identifier: Apache-2.0

extension EndpointError {
  /// The error codes. Raw values are stable: codes are added, never renamed or removed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // The request line and the header fields
    /// The request target is malformed: an invalid character, percent escape or path segment.
    case targetMalformed = "http.target-malformed"
    /// The request target exceeds its length limit.
    case targetTooLong = "http.target-too-long"
    /// A header field has an invalid name or value.
    case headerMalformed = "http.header-malformed"
    /// The header exceeds its size limit or its limit of fields.
    case headersTooLarge = "http.headers-too-large"
    /// `Host` is missing or repeated.
    case hostMissing = "http.host-missing"
    /// `Expect` has a value other than `100-continue`.
    case expectationUnknown = "http.expectation-unknown"

    // The body
    /// The end of the body is ambiguous: repeated or malformed `Content-Length`, `Content-Length` with
    /// `Transfer-Encoding`, or an unsupported transfer coding.
    case framingAmbiguous = "http.framing-ambiguous"
    /// The method does not allow a body.
    case bodyNotAllowed = "http.body-not-allowed"
    /// The body exceeds its size limit.
    case bodyTooLarge = "http.body-too-large"
    /// The content type is not `application/json`.
    case mediaTypeUnsupported = "http.media-type-unsupported"
    /// The body is not JSON.
    case bodyNotJSON = "http.body-not-json"
    /// The body, or a member that must be an object, is not a JSON object.
    case bodyNotObject = "http.body-not-object"
    /// A required member of the body is missing.
    case bodyMissingMember = "http.body-missing-member"
    /// A member of the body has an invalid type, format or length.
    case bodyInvalidMember = "http.body-invalid-member"

    // Routes
    /// No resource exists at the path.
    case notFound = "http.not-found"
    /// The resource does not support the method.
    case methodNotAllowed = "http.method-not-allowed"

    /// A request carries a bearer token and a session cookie that differ.
    case sessionAmbiguous = "http.session-ambiguous"
    /// A state-changing request with cookie authentication comes from a page of a foreign origin.
    case originRefused = "http.origin-refused"
    /// A route requires a stronger or a more recent authentication (RFC 9470).
    case authenticationInsufficient = "http.authentication-insufficient"
    /// The request about a forwarded request carries no secret of a proxy, or a wrong one.
    case proxyRefused = "http.proxy-refused"
    /// The back end that asks about a token is unknown, or its secret is wrong.
    case clientRefused = "http.client-refused"

    // Rate limits and time-outs
    /// The client address or the account exceeded its rate limit.
    case tooManyRequests = "http.too-many-requests"
    /// The handler exceeded the answer deadline.
    case answerTimedOut = "http.answer-timed-out"
    /// The server is shutting down.
    case stopping = "http.stopping"
    /// An unexpected internal error.
    case internalError = "http.internal-error"

    // Server start
    /// The server cannot listen at the address.
    case cannotListen = "http.cannot-listen"
    /// The certificate or its key cannot be read, or they do not match.
    case certificateUnusable = "http.certificate-unusable"
    /// The HTTP library cannot start.
    case cannotStart = "http.cannot-start"
    /// A route pattern is malformed, or conflicts with another route.
    case routeAmbiguous = "http.route-ambiguous"
  }
}
