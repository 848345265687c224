// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text in quotation marks, with characters escaped that a terminal would interpret, hide or reorder.
  package var quotedForTerminal: String {
    // Escapes scalars, because a combining mark after a quotation mark would form one character with it.
    let escaped = unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.escapedForTerminal }
    return "\"" + escaped.joined() + "\""
  }

  /// The text with characters escaped that a terminal would interpret, hide or reorder.
  package var escapedForTerminal: String {
    // Fast path: printable ASCII needs no escapes.
    utf8.allSatisfy { (byte) in 0x20..<0x7f ~= byte } ? self : unicodeScalars.map(\.escapedForTerminal).joined()
  }
}

extension Unicode.Scalar {
  /// Whether a terminal displays the character without interpreting it, hiding it or reordering the line.
  package var isSafeForTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }

  fileprivate var escapedForTerminal: String {
    isSafeForTerminal ? String(self) : "\\u{\(String(value, radix: 16))}"
  }
}
