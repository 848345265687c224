// SPDX-License-Identifier: Apache-2.0

/// Writes a page in the man macros of roff, in ASCII only.
struct Roff {
  private(set) var text: String

  /// Starts a page of section 1.
  init(page: String, summary: String) {
    // Contains no date, so that the output is reproducible. Hyphens in commands would be copied from the page.
    text =
      ".TH \(Self.quoted(page.uppercased())) 1 \"\" \(Self.quoted("passkey \(Version.current)"))\n.nh\n.ad l\n"
      + ".SH NAME\n\(Self.line(page)) \\- \(Self.escaped(summary))\n"
  }

  mutating func section(_ title: String) {
    text += ".SH \(Self.quoted(title))\n"
  }

  mutating func paragraph(bold: String, plain: String) {
    text += ".B \(Self.quoted(bold))\n\(Self.line(plain))\n"
  }

  mutating func description(_ paragraphs: [String]) {
    guard !paragraphs.isEmpty else { return }
    section("DESCRIPTION")
    text += paragraphs.map { Self.line($0) + "\n" }.joined(separator: ".PP\n")
  }

  mutating func item(_ option: any OptionSpecification) {
    item(
      term: (option.shortName.map { "\($0), " } ?? "") + option.name, value: option.placeholder,
      HelpText.meaning(of: option))
  }

  /// Writes a term and, below it, its description.
  mutating func item(term: String, value: String?, _ meaning: String) {
    let italic = value.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""
    text += ".TP\n\\fB\(Self.escaped(term))\\fR\(italic)\n\(Self.line(meaning))\n"
  }

  /// Writes references to other pages of section 1.
  mutating func references(_ names: [String]) {
    text += names.map { ".BR \(Self.escaped($0)) (1)" }.joined(separator: " ,\n") + "\n"
  }

  /// Escapes a leading full stop or apostrophe, which roff would interpret as a request.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { (scalar) in
      switch scalar {
      case "\\": "\\(rs"
      // A minus sign rather than a hyphen, so that options can be copied from the page.
      case "-": "\\-"
      case "~": "\\(ti"
      case "^": "\\(ha"
      case "`": "\\(ga"
      case "'": "\\(aq"
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(Self.hexadecimal(scalar))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
