// SPDX-License-Identifier: Apache-2.0

/// The rules for the names of keys (C2SP signed-note).
enum NoteName {
  /// The longest name, in bytes. ML-DSA cosignatures give the length one byte.
  static let maximumByteCount = 255

  /// Whether a name is not empty and has no spaces, control characters or plus.
  static func allows(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= maximumByteCount
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "+" && !$0.properties.isWhitespace }
  }
}
