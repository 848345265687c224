// SPDX-License-Identifier: Apache-2.0

public import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

/// The single mapping from error codes to HTTP responses, in the form of a profile.
public struct ErrorResponses: Sendable {
  let form: ServiceProfile.Errors

  /// Creates responses of this form.
  public init(_ form: ServiceProfile.Errors) {
    self.form = form
  }

  /// Problem details (RFC 9457), for errors without a profile.
  package static let standard = ErrorResponses(ServiceProfile.raxx.errors)

  /// Returns the status of an error code in this form.
  func status(_ code: String, otherwise status: EndpointStatus) -> EndpointStatus {
    form.statuses.isEmpty ? status : form.statuses[code].map { EndpointStatus(rawValue: $0) } ?? status
  }

  /// Returns the status and the title for an error code of this module.
  static func entry(_ code: EndpointError.Code) -> (status: EndpointStatus, title: String) {
    switch code {
    case .targetMalformed: (.badRequest, "Malformed request target")
    case .targetTooLong: (.targetTooLong, "The request target is too long")
    case .headerMalformed: (.badRequest, "Malformed header field")
    case .headersTooLarge: (.headersTooLarge, "The header fields are too large")
    case .hostMissing: (.badRequest, "Exactly one Host header field is required")
    case .expectationUnknown: (.expectationFailed, "Unsupported expectation")
    case .framingAmbiguous: (.badRequest, "Ambiguous body length")
    case .bodyNotAllowed: (.badRequest, "This method does not take a body")
    case .bodyTooLarge: (.contentTooLarge, "The body is too large")
    case .mediaTypeUnsupported: (.unsupportedMediaType, "The body must be application/json")
    case .bodyNotJSON: (.badRequest, "The body is not JSON")
    case .bodyNotObject: (.badRequest, "The body must be a JSON object")
    case .bodyMissingMember: (.badRequest, "A member of the body is missing")
    case .bodyInvalidMember: (.badRequest, "A member of the body has an invalid value")
    case .sessionAmbiguous: (.badRequest, "The request carries two different sessions")
    case .originRefused: (.forbidden, "The request's origin is not allowed")
    case .authenticationInsufficient: (.unauthorized, "The user must confirm who they are")
    case .proxyRefused: (.forbidden, "Only a proxy of this site may ask")
    case .clientRefused: (.unauthorized, "Unknown client, or a wrong secret")
    case .notFound: (.notFound, "Not found")
    case .methodNotAllowed: (.methodNotAllowed, "Method not allowed")
    case .tooManyRequests: (.tooManyRequests, "Too many requests")
    case .answerTimedOut: (.serviceUnavailable, "The response took too long")
    case .stopping: (.serviceUnavailable, "The server is stopping")
    case .internalError, .cannotListen, .certificateUnusable, .cannotStart, .routeAmbiguous:
      (.internalServerError, "Internal error")
    }
  }

  /// Returns the response to a request that failed with an error, such as one of ``Endpoints/authenticate(_:)``.
  ///
  /// An error that this module does not know gets the status 500. The response says nothing about it.
  public func response(to error: any Error, requestID: EndpointRequestID) -> EndpointResponse {
    var response =
      knownResponse(to: error, requestID: requestID)
      ?? response(to: EndpointError(.internalError), requestID: requestID)
    response.error = error
    return response
  }

  /// Returns the response to an error of this module or of the service; nil for another error.
  func knownResponse(to error: any Error, requestID: EndpointRequestID) -> EndpointResponse? {
    var response = response(toKnown: error, requestID: requestID)
    response?.error = error
    return response
  }

  private func response(toKnown error: any Error, requestID: EndpointRequestID) -> EndpointResponse? {
    if let exceeded = error as? RateLimiter.Exceeded {
      var response = response(to: EndpointError(.tooManyRequests), requestID: requestID)
      response.headers.set("retry-after", String(exceeded.seconds))
      return response
    }
    if let refused = error as? ServiceError { return response(to: refused, requestID: requestID) }
    if let demand = error as? SiteAccess.AuthenticationDemand {
      var response = response(to: EndpointError(.authenticationInsufficient), requestID: requestID)
      response.headers.set("www-authenticate", demand.challenge)
      return response
    }
    if let demand = error as? StepUpDemand { return response(to: demand, requestID: requestID) }
    if let malformed = error as? FormatError {
      let problem = Problem(
        status: .badRequest, title: "The response of the authenticator is malformed", code: malformed.code.rawValue,
        member: malformed.member)
      return problem.response(requestID: requestID, in: self)
    }
    return (error as? EndpointError).map { response(to: $0, requestID: requestID) }
  }

  private func response(to error: EndpointError, requestID: EndpointRequestID) -> EndpointResponse {
    let (status, title) = Self.entry(error.code)
    let problem = Problem(status: status, title: title, code: error.code.rawValue, member: error.member)
    var response = problem.response(requestID: requestID, in: self)
    if error.code == .clientRefused { response.headers.set("www-authenticate", #"Basic realm="passkey""#) }
    return response
  }
}
