// SPDX-License-Identifier: Apache-2.0

/// Why an authenticator says no: the status that it answers with, which is all that CTAP carries.
public struct CTAPError: Error, Hashable, Sendable {
  /// The status, never success.
  public let status: CTAPStatus

  /// What was at fault, in words for a log; it does not travel, and never holds a PIN, a key or a secret.
  public let detail: String?

  /// Makes an error.
  public init(_ status: CTAPStatus, _ detail: String? = nil) {
    self.status = status
    self.detail = detail
  }
}

extension CTAPError: CustomStringConvertible {
  /// The standard's name for the status, and the detail.
  public var description: String { detail.map { "\(status): \($0)" } ?? "\(status)" }
}
