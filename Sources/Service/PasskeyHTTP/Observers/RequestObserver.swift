// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Sees each request of a router and its response. The package traits `Logging`, `Metrics` and `Tracing` have one each.
protocol RequestObserver: Sendable {
  /// Passes a request to `respond`, and returns its response.
  func response(to request: EndpointRequest, by respond: EndpointHandler) async -> EndpointResponse
}

/// The code and the step of a refused or failed request. Details stay out of logs, because they can come from clients.
struct RequestFailure: Sendable {
  /// The exact code of the cause.
  let code: String

  /// The number of the failed step of the standard; nil for another refusal.
  let step: Int?

  /// Takes the code of an error of this module or of the service, or else `http.internal-error`.
  init(_ error: any Error) {
    var step: Int?
    switch error {
    case let error as ServiceError:
      code = error.innermostCode
      if case .ceremony(let cause)? = error.cause { step = cause.step }
    case let error as StepUpDemand: code = error.code.rawValue
    case is SiteAccess.AuthenticationDemand: code = EndpointError.Code.authenticationInsufficient.rawValue
    case let error as EndpointError: code = error.code.rawValue
    case is RateLimiter.Exceeded: code = EndpointError.Code.tooManyRequests.rawValue
    case let error as FormatError: code = error.code.rawValue
    default: code = EndpointError.Code.internalError.rawValue
    }
    self.step = step
  }
}
