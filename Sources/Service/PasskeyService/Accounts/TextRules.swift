// SPDX-License-Identifier: Apache-2.0

/// The characters allowed in one line of text that users see: user names and passkey names.
enum TextRules {
  /// Returns whether the scalar is visible. White space exists in many scripts, and some letters render as nothing; a
  /// list must not contain a name that appears empty.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
  }

  /// Returns whether the scalar is allowed. Format characters are rejected, because those that change the text
  /// direction can make one name look like another.
  static func isText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    // The zero-width joiners that some scripts and emoji need.
    case .format: scalar.value == 0x200c || scalar.value == 0x200d
    default: true
    }
  }
}
