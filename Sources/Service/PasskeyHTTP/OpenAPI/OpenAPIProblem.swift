// SPDX-License-Identifier: Apache-2.0

/// A reusable problem response of the OpenAPI document, shared by all endpoints with the same kind of failure.
struct OpenAPIProblem: Hashable {
  enum Kind: String, CaseIterable {
    case refused = "Refused"
    case unauthorized = "Unauthorized"
    case tooManyRequests = "TooManyRequests"
    case unavailable = "Unavailable"
  }

  let kind: Kind

  /// Whether the endpoint requires a session.
  let isOfSession: Bool

  init(_ status: EndpointStatus, of endpoint: Endpoint) {
    let kind: Kind =
      switch status {
      case .unauthorized: .unauthorized
      case .tooManyRequests: .tooManyRequests
      case .serviceUnavailable: .unavailable
      default: .refused
      }
    self.init(kind, isOfSession: endpoint.requiresSession)
  }

  private init(_ kind: Kind, isOfSession: Bool) {
    self.kind = kind
    self.isOfSession = isOfSession
  }

  static let all = Kind.allCases.flatMap { [Self($0, isOfSession: false), Self($0, isOfSession: true)] }

  /// The name of the component in the OpenAPI document.
  var name: String { isOfSession ? "\(kind.rawValue)OfSession" : kind.rawValue }

  var meaning: String {
    switch kind {
    case .refused: "A problem, identified by its code"
    case .unauthorized: "The request requires a sign-in or a step-up; the problem names the step-up to request"
    case .tooManyRequests: "Too many requests"
    case .unavailable: "Temporarily unavailable; either nothing was changed, or the outcome is unknown"
    }
  }
}
