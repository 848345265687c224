// SPDX-License-Identifier: Apache-2.0

@_spi(_Unicode) internal import Swift

// Limits
//   64 characters and 256 bytes [one line in a list; a character may consist of many code points]

/// A validated user name: one line of text that identifies an account at sign-in.
///
/// Surrounding white space is removed, and the text is kept in Unicode's normalization form C. Control characters, line
/// breaks, and characters that change the text direction are rejected.
///
/// New accounts need a name that is hard to confuse: characters that UTS 39 allows in identifiers and printable ASCII, of
/// one script or a usual mixture with Latin, without invisible characters and unusual spaces. A sign-in accepts the names
/// that earlier versions gave.
public struct Username: Hashable, Sendable {
  /// The name as its owner wrote it.
  public let text: String

  static let maximumCharacterCount = 64
  static let maximumByteCount = 256

  /// Parses user input.
  ///
  /// - Throws: `account.username-invalid`, with the reason as detail, if the text is not a valid user name.
  public init(_ text: String) throws(ServiceError) {
    let trimmed = String(decoding: Array(text.utf8).trimmingWhiteSpace, as: UTF8.self).normalized
    guard 1...Self.maximumByteCount ~= trimmed.utf8.count, trimmed.count <= Self.maximumCharacterCount else {
      throw ServiceError(.usernameInvalid, "1 to 64 characters")
    }
    guard trimmed.unicodeScalars.allSatisfy(TextRules.isText) else {
      throw ServiceError(.usernameInvalid, "control characters are not allowed")
    }
    guard trimmed.unicodeScalars.contains(where: TextRules.isVisible) else {
      throw ServiceError(.usernameInvalid, "at least one visible character")
    }
    self.text = trimmed
  }

  /// The look-up key. Names that differ only in case, in normalization or in invisible characters have the same key.
  public var key: String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var visible = String.UnicodeScalarView()
    // The detour over upper case also folds letters with several lower-case forms, such as the Greek sigma.
    for scalar in text.uppercased().lowercased().unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      visible.append(scalar)
    }
    return String(visible).normalized
  }
}

extension Username: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}

extension String {
  /// The text in Unicode's normalization form C.
  fileprivate var normalized: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scalars = UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
