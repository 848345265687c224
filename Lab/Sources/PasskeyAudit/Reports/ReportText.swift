// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Text of a server in reports. The server may be hostile: its text must not control a terminal, end an element of a
/// document or make a report too large to open.
package enum ReportText {
  /// 8 KiB of a body  [the longest response of a ceremony has 5 KiB]
  static let maximumBodyByteCount = 8192

  /// 2 KiB of a field, an address or a line of explanation  [a session cookie has 1 KiB]
  static let maximumLineByteCount = 2048

  /// 100 fields  [libcurl accepts more; a usual response has 15]
  static let maximumFieldCount = 100

  /// Returns the beginning of a body, with a note about the rest. Line breaks and tabs remain.
  static func body(_ text: String) -> String {
    cut(text, to: maximumBodyByteCount).unicodeScalars.map { (scalar) in
      scalar == "\n" || scalar == "\t" ? String(scalar) : shown(scalar)
    }.joined()
  }

  /// Returns the beginning of one line, with a note about the rest. Line breaks are escaped.
  static func line(_ text: String) -> String {
    cut(text, to: maximumLineByteCount).unicodeScalars.map(shown).joined()
  }

  /// Returns the first fields, each as one line.
  static func fields(_ fields: [String]) -> [String] {
    let shown = fields.prefix(maximumFieldCount).map(line)
    return fields.count <= maximumFieldCount ? shown : shown + ["[\(fields.count - maximumFieldCount) more fields]"]
  }

  /// Escapes text for elements and attributes of HTML and XML.
  static func markup(_ text: String) -> String {
    // In an attribute, XML turns a line break into a space.
    text.escapedForHTML.unicodeScalars.map { $0 == "\n" ? "&#10;" : $0 == "\t" ? "&#9;" : String($0) }.joined()
  }

  /// Returns a number with a noun, such as `1 check` or `2 checks`.
  package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    // XML has no character for U+FFFE and U+FFFF, which are unassigned and therefore escaped as well.
    scalar.isSafeForTerminal ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// Returns the beginning of the text, with a note about the rest.
  static func cut(_ text: String, to limit: Int) -> String {
    let bytes = text.utf8
    guard bytes.count > limit else { return text }
    var end = bytes.index(bytes.startIndex, offsetBy: limit)
    // Steps back to the first byte of a scalar.
    while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end = bytes.index(before: end) }
    return "\(text[..<end]) [\(bytes.distance(from: end, to: bytes.endIndex)) more bytes]"
  }
}

extension RecordedExchange {
  /// The exchange with text that is safe to show, each part limited in size.
  var forReport: Self {
    Self(
      method: ReportText.line(method), url: ReportText.line(url), requestHeaders: ReportText.fields(requestHeaders),
      requestBody: ReportText.body(requestBody), status: status, failure: failure.map(ReportText.line),
      responseHeaders: ReportText.fields(responseHeaders), responseBody: ReportText.body(responseBody))
  }

  /// The first line of the response: its status, or why the response is missing.
  var outcome: String { status.map { "status \($0)" } ?? failure ?? "no response" }
}
