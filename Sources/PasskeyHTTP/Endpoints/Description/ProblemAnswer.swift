// SPDX-License-Identifier: Apache-2.0

/// A problem as it is described: what is the same wherever a status is the answer.
struct ProblemAnswer: Hashable {
  enum Kind: String, CaseIterable {
    case refused = "Refused"
    case unauthorized = "Unauthorized"
    case tooManyRequests = "TooManyRequests"
    case unavailable = "Unavailable"
  }

  let kind: Kind

  /// Whether somebody has to be signed in where it is the answer.
  let isOfSession: Bool

  init(_ status: HTTPStatus, of endpoint: Endpoint) {
    let kind: Kind =
      switch status {
      case .unauthorized: .unauthorized
      case .tooManyRequests: .tooManyRequests
      case .serviceUnavailable: .unavailable
      default: .refused
      }
    self.init(kind, isOfSession: endpoint.takesSession)
  }

  private init(_ kind: Kind, isOfSession: Bool) {
    self.kind = kind
    self.isOfSession = isOfSession
  }

  static let all = Kind.allCases.flatMap { [Self($0, isOfSession: false), Self($0, isOfSession: true)] }

  /// What the description calls it.
  var name: String { isOfSession ? "\(kind.rawValue)OfSession" : kind.rawValue }

  var meaning: String {
    switch kind {
    case .refused: "A problem; its code says which"
    case .unauthorized: "Somebody has to sign in, or to confirm the act: what to ask for is in the problem then"
    case .tooManyRequests: "Too many requests"
    case .unavailable: "Not now; nothing was changed, or it is not known"
    }
  }
}
