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

  /// Makes an error.
  public init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }
}

extension ClientError: CustomStringConvertible {
  /// The code, and the detail.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
