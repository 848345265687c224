// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What a person calls a passkey, to tell it from the others: one line of text.
public struct CredentialName: Hashable, Sendable {
  /// The name.
  public let text: String

  // 64 characters and 256 bytes [a line in a list; a character may be a sequence of many]
  static let maximumCharacterCount = 64
  static let maximumByteCount = 256

  /// The name that a passkey has whose owner gave it none.
  public static let unnamed = Self(accepted: "Passkey")

  /// Takes a name: no control characters, no line ends, and something that can be seen.
  public init(_ text: String) throws(ServiceError) {
    let trimmed = String(decoding: Array(text.utf8).trimmingWhiteSpace, as: UTF8.self)
    guard 1...Self.maximumByteCount ~= trimmed.utf8.count, trimmed.count <= Self.maximumCharacterCount else {
      throw ServiceError(.credentialNameInvalid, "1 to 64 characters")
    }
    guard trimmed.unicodeScalars.allSatisfy(Self.isText) else {
      throw ServiceError(.credentialNameInvalid, "without control characters")
    }
    guard trimmed.unicodeScalars.contains(where: Self.isVisible) else {
      throw ServiceError(.credentialNameInvalid, "something that can be seen")
    }
    self.text = trimmed
  }

  private init(accepted text: String) {
    self.text = text
  }

  /// There is white space in every script, and there are letters that stand for nothing: a list in which one of the
  /// names is empty cannot be chosen from.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Formats turn a line's direction round, which can make one name look like another.
  private static func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    // The joiners that scripts and pictures are written with.
    case .format: scalar.value == 0x200c || scalar.value == 0x200d
    default: true
    }
  }
}

extension CredentialName: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
