// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// An error of a client. This module throws no other error type.
///
/// ``code`` is for programs and ``detail`` is for people. ``domName`` is the name of the exception that a browser would
/// throw; pages get nothing beyond it.
public struct ClientError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// A description of the expected or actual value; never a PIN, a key or a token.
  public let detail: String?

  /// The outcome of a failed write request. Nil if the request was no write, or if the server itself reported the
  /// outcome.
  public private(set) var outcome: WriteOutcome?

  /// The server's problem details, if the server refused the request.
  public let problem: Problem?

  /// The error that caused this one in this process. Errors are equal whatever caused them.
  @Uncompared package var cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ detail: String? = nil, outcome: WriteOutcome? = nil, problem: Problem? = nil) {
    self.code = code
    self.detail = detail
    self.outcome = outcome
    self.problem = problem
  }

  /// Returns the error with another outcome.
  package func with(outcome: WriteOutcome?) -> Self {
    var error = self
    error.outcome = outcome
    return error
  }
}

extension ClientError: CustomStringConvertible {
  /// The code, the detail and the outcome of a write.
  public var description: String {
    let cause = detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue
    return outcome.map { "\(cause) (\($0))" } ?? cause
  }
}

/// The outcome of a failed request that would have changed state on the server.
public enum WriteOutcome: String, Hashable, Sendable, CaseIterable {
  /// The request was cancelled before any of it was sent: nothing changed.
  case notSent = "not-sent"

  /// The request may have reached the server, and the server may have executed it.
  case unknown
}

extension WriteOutcome: CustomStringConvertible {
  /// The outcome in words, for people.
  public var description: String {
    switch self {
    case .notSent: "cancelled before it was sent"
    case .unknown: "it is unknown whether the server executed it"
    }
  }
}
