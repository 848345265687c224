// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text between quotes, with everything escaped that a terminal would obey, hide or turn around.
  package var quotedForTerminal: String {
    // By scalars: a combining mark would make a character of its own of the quotation mark before it.
    let escaped = unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.escapedForTerminal }
    return "\"" + escaped.joined() + "\""
  }

  /// The text with everything escaped that a terminal would obey, hide or turn around.
  package var escapedForTerminal: String {
    // Nothing printable in ASCII is escaped.
    utf8.allSatisfy { (byte) in 0x20..<0x7f ~= byte } ? self : unicodeScalars.map(\.escapedForTerminal).joined()
  }
}

extension Unicode.Scalar {
  fileprivate var escapedForTerminal: String {
    mayBeShown ? String(self) : "\\u{\(String(value, radix: 16))}"
  }
}
