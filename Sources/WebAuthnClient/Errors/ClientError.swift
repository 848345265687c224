// SPDX-License-Identifier: Apache-2.0

/// Why a client cannot do what it was asked. The one error of this floor.
///
/// ``code`` is for programs. Where a browser would fail the same way, ``domName`` is the name of the exception that a page
/// would see; pages are told no more than that, and people are told ``detail``.
public struct ClientError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// What was expected or found, in words; never a PIN, a key or a token.
  public let detail: String?

  /// What is known of a request that was to change something and failed; nil where nothing was to be changed, or where the
  /// server has said itself what became of it.
  public let outcome: WriteOutcome?

  /// What the server said, where it said no.
  public let problem: Problem?

  /// Makes an error.
  public init(_ code: Code, _ detail: String? = nil, outcome: WriteOutcome? = nil, problem: Problem? = nil) {
    self.code = code
    self.detail = detail
    self.outcome = outcome
    self.problem = problem
  }
}

extension ClientError: CustomStringConvertible {
  /// The code, the detail, and what became of what was to be written.
  public var description: String {
    let cause = detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue
    return outcome.map { "\(cause) (\($0))" } ?? cause
  }
}
