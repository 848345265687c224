// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A request as a command line of curl. Redacted values are placeholders that the reader replaces.
package enum CurlCommand {
  /// Returns the command. A long body is cut, as everywhere in reports. Characters that a terminal would interpret are
  /// escapes, which bash and zsh understand; other commands are valid for any POSIX shell.
  package static func line(for exchange: RecordedExchange) -> String {
    let body = ReportText.cut(exchange.requestBody, to: ReportText.maximumBodyByteCount)
    var words = ["curl", "-i"] + exchange.curlOptions.map(quoted)
    // The start of a TLS handshake has no fields that curl could send.
    if exchange.method == RecordedExchange.handshake { return (words + [quoted(exchange.url)]).joined(separator: " ") }
    if exchange.method == "HEAD" {
      words.append("-I")
    } else if exchange.method != (body.isEmpty ? "GET" : "POST") {
      words += ["-X", quoted(ReportText.cut(exchange.method, to: ReportText.maximumLineByteCount))]
    }
    for field in exchange.requestHeaders.prefix(ReportText.maximumFieldCount) {
      words += ["-H", quoted(ReportText.cut(field, to: ReportText.maximumLineByteCount))]
    }
    // --data-raw does not read a file for text that begins with @.
    if !body.isEmpty { words += ["--data-raw", quoted(body)] }
    return (words + [quoted(ReportText.cut(exchange.url, to: ReportText.maximumLineByteCount))]).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    guard word.unicodeScalars.allSatisfy(\.isSafeForTerminal) else { return "$'\(escaped(word))'" }
    let isPlain = word.utf8.allSatisfy { (byte) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:@%+,=".utf8.contains(byte)
      }
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  private static func escaped(_ word: String) -> String {
    word.unicodeScalars.map { (scalar) in
      switch scalar {
      case "'", "\\": "\\\(scalar)"
      case _ where scalar.isSafeForTerminal: String(scalar)
      default: scalar.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }.joined()
  }
}
