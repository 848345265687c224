// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The name that a user gives a passkey to tell it from the others: one line of text.
public struct CredentialName: Hashable, Sendable {
  /// The name.
  public let text: String

  // 64 characters and 256 bytes [one line in a list; a character may consist of many code points]
  static let maximumCharacterCount = 64
  static let maximumByteCount = 256

  /// The default name of a passkey.
  @usableFromInline package static let unnamed = Self(accepted: "Passkey")

  /// Creates a name from user input. Surrounding white space is removed. Throws
  /// ``ServiceError/Code/credentialNameInvalid`` if the text is too long, contains control characters or line breaks,
  /// or has no visible character.
  public init(_ text: String) throws(ServiceError) {
    let trimmed = String(decoding: Array(text.utf8).trimmingWhiteSpace, as: UTF8.self)
    guard 1...Self.maximumByteCount ~= trimmed.utf8.count, trimmed.count <= Self.maximumCharacterCount else {
      throw ServiceError(.credentialNameInvalid, "1 to 64 characters")
    }
    guard trimmed.unicodeScalars.allSatisfy(TextRules.isText) else {
      throw ServiceError(.credentialNameInvalid, "control characters are not allowed")
    }
    guard trimmed.unicodeScalars.contains(where: TextRules.isVisible) else {
      throw ServiceError(.credentialNameInvalid, "at least one visible character")
    }
    self.text = trimmed
  }

  private init(accepted text: String) {
    self.text = text
  }
}

extension CredentialName: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
