// SPDX-License-Identifier: Apache-2.0

extension HTTPError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // The request line and the header fields
    /// The target of the request is none: a character, an escape or a part of the path that may not be there.
    case targetMalformed = "http.target-malformed"
    /// The target is longer than is allowed.
    case targetTooLong = "http.target-too-long"
    /// A header field has a name or a value that none may have.
    case headerMalformed = "http.header-malformed"
    /// The request line and the header fields are longer than is allowed, or more.
    case headersTooLarge = "http.headers-too-large"
    /// There is no `Host`, or more than one.
    case hostMissing = "http.host-missing"
    /// The client expects something other than `100-continue`.
    case expectationUnknown = "http.expectation-unknown"

    // The body
    /// Where the body ends can be read in two ways: two lengths, a length and a coding, or a coding that is not known.
    case framingAmbiguous = "http.framing-ambiguous"
    /// The method has no use for a body.
    case bodyNotAllowed = "http.body-not-allowed"
    /// The body is longer than is allowed.
    case bodyTooLarge = "http.body-too-large"
    /// The body is not of the type `application/json`.
    case mediaTypeUnsupported = "http.media-type-unsupported"
    /// The body is not JSON.
    case bodyNotJSON = "http.body-not-json"
    /// The body, or something in it that should be one, is not an object.
    case bodyNotObject = "http.body-not-object"
    /// The body lacks a member that it must have.
    case bodyMissingMember = "http.body-missing-member"
    /// A member of the body has the wrong type, form or length.
    case bodyInvalidMember = "http.body-invalid-member"

    // Routes
    /// Nothing is there.
    case notFound = "http.not-found"
    /// What is there has no such method.
    case methodNotAllowed = "http.method-not-allowed"

    /// A request that acts for a cookie comes from a page of somebody else's, or does not say from which.
    case originRefused = "http.origin-refused"

    // How much, and how long
    /// There were too many requests from this address, or for this account.
    case tooManyRequests = "http.too-many-requests"
    /// The request took longer to answer than is allowed.
    case answerTimedOut = "http.answer-timed-out"
    /// The server is stopping.
    case stopping = "http.stopping"
    /// Something went wrong that should not.
    case internalError = "http.internal-error"

    // The server's start
    /// The server cannot listen at the address.
    case cannotListen = "http.cannot-listen"
    /// The certificate or its key cannot be read, or they do not belong together.
    case certificateUnusable = "http.certificate-unusable"
    /// The server's library cannot start.
    case cannotStart = "http.cannot-start"
    /// A route is not well formed, or can be confused with another.
    case routeAmbiguous = "http.route-ambiguous"
  }
}
