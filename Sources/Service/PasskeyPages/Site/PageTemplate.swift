// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A page with placeholders such as `{{signIn}}`.
struct PageTemplate {
  private let file: String
  private let text: String

  /// Reads a page. `file` is its name in errors.
  init(_ file: String, _ bytes: [UInt8]) throws(PagesError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PagesError(.pageMalformed, in: file, "not UTF-8")
    }
    self.file = file
    self.text = text
  }

  /// Returns the page with texts in place of the placeholders. Texts are escaped; `markup` is not.
  func filled(with texts: [String: String], markup: [String: String] = [:]) throws(PagesError) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
        throw PagesError(.pageMalformed, in: file, "{{ without }}")
      }
      let name = String(rest[start.upperBound..<end.lowerBound])
      guard let value = markup[name] ?? texts[name].map(\.escapedForHTML) else {
        throw PagesError(.textMissing, in: file, name)
      }
      result += value
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}
