// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Text as HTML.
enum HTML {
  /// Returns text for an element or a quoted attribute that a browser shows exactly as it is.
  static func exact(_ text: String) -> String {
    var html = ""
    html.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.unicodeScalars.append(scalar)
      }
    }
    return html
  }

  /// Returns text for an element, with characters escaped that a browser would hide or reorder.
  static func visible(_ text: String) -> String { exact(text.escapedForTerminal) }
}
