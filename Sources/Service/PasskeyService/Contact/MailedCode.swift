// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The codes and times that a mail contains. They exist only while the mail is written.
public struct MailedCode: Sendable {
  /// The code itself, to write into the mail only.
  public let exposedText: String

  /// The code that cancels a recovery, to write into the mail only; nil for the other purposes.
  package let exposedCancellation: String?

  /// The time from which the code is valid; nil if it is valid at once.
  public let start: UnixTime?

  /// The expiry time.
  public let expiry: UnixTime

  /// The language of the client that asked for the code, such as `de`; nil if it is not known.
  public let language: String?

  /// Creates the content of a mail.
  package init(
    _ text: String, cancellation: String? = nil, start: UnixTime? = nil, expiry: UnixTime, language: String? = nil
  ) {
    exposedText = text
    exposedCancellation = cancellation
    self.start = start
    self.expiry = expiry
    self.language = language
  }
}

extension MailedCode: CustomStringConvertible, CustomReflectable {
  /// A constant text that does not reveal the code.
  public var description: String { "a mailed code" }

  /// An empty mirror, so that `dump` and failing tests do not reveal the code.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
