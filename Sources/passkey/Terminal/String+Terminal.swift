// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text between quotes, with everything escaped that a terminal would obey, hide or turn around.
  var quotedForTerminal: String {
    let escaped = escapedForTerminal.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"" + escaped.joined() + "\""
  }

  /// The text with everything escaped that a terminal would obey, hide or turn around.
  var escapedForTerminal: String {
    unicodeScalars.map { $0.mayBeShown ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var mayBeShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}
