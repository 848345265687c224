// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes

/// The single mapping from error codes to HTTP responses.
enum ErrorResponses {
  /// Returns the status and the title for an error code of this module.
  static func entry(_ code: HTTPError.Code) -> (status: HTTPStatus, title: String) {
    switch code {
    case .targetMalformed: (.badRequest, "The request's target cannot be read")
    case .targetTooLong: (.targetTooLong, "The request's target is too long")
    case .headerMalformed: (.badRequest, "A header field cannot be read")
    case .headersTooLarge: (.headersTooLarge, "The header fields are too large")
    case .hostMissing: (.badRequest, "There must be one Host")
    case .expectationUnknown: (.expectationFailed, "The expectation is not known")
    case .framingAmbiguous: (.badRequest, "The body's length can be read in two ways")
    case .bodyNotAllowed: (.badRequest, "The method has no body")
    case .bodyTooLarge: (.contentTooLarge, "The body is too large")
    case .mediaTypeUnsupported: (.unsupportedMediaType, "The body must be application/json")
    case .bodyNotJSON: (.badRequest, "The body is not JSON")
    case .bodyNotObject: (.badRequest, "An object was expected")
    case .bodyMissingMember: (.badRequest, "The body lacks a member")
    case .bodyInvalidMember: (.badRequest, "A member of the body has the wrong form")
    case .originRefused: (.forbidden, "The request does not come from a page of ours")
    case .notFound: (.notFound, "Nothing is here")
    case .methodNotAllowed: (.methodNotAllowed, "The method cannot be used here")
    case .tooManyRequests: (.tooManyRequests, "Too many requests")
    case .answerTimedOut: (.serviceUnavailable, "The answer took too long")
    case .stopping: (.serviceUnavailable, "The server is stopping")
    case .internalError, .cannotListen, .certificateUnusable, .cannotStart, .routeAmbiguous:
      (.internalServerError, "Something went wrong")
    }
  }

  /// Returns the response to a request that failed with an error.
  static func response(to error: any Error, requestID: RequestID) -> HTTPResponse {
    if let exceeded = error as? RateLimitExceeded {
      var response = response(to: HTTPError(.tooManyRequests), requestID: requestID)
      response.headers.set("retry-after", String(exceeded.seconds))
      return response
    }
    if let refused = error as? ServiceError { return response(to: refused, requestID: requestID) }
    if let demand = error as? StepUpDemand { return response(to: demand, requestID: requestID) }
    if let malformed = error as? FormatError {
      let problem = Problem(
        status: .badRequest, title: "The credential cannot be read", code: malformed.code.rawValue,
        member: malformed.member)
      return problem.response(requestID: requestID)
    }
    let known = error as? HTTPError ?? HTTPError(.internalError)
    let (status, title) = entry(known.code)
    let problem = Problem(status: status, title: title, code: known.code.rawValue, member: known.member)
    return problem.response(requestID: requestID)
  }
}
