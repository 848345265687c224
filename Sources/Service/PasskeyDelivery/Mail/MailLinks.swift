// SPDX-License-Identifier: Apache-2.0

/// The addresses of the pages on which the codes of a mail are entered.
public struct MailLinks: Hashable, Sendable {
  /// The page for the code.
  public let code: String

  /// The page for the code that cancels a recovery; nil for the other mails.
  public let cancellation: String?

  /// Creates the links of a mail.
  public init(code: String, cancellation: String? = nil) {
    self.code = code
    self.cancellation = cancellation
  }
}
