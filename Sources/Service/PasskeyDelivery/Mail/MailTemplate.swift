// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// template = *( text / "{{" *" " name *" " "}}" )
// The text form begins with "Subject: " and a line, followed by an empty line.

/// A placeholder of mail templates.
public enum MailPlaceholder: String, Hashable, Sendable, CaseIterable {
  /// The name of the service.
  case service
  /// The relying party's domain.
  case domain
  /// The address to which the mail goes.
  case address
  /// The time of the event.
  case time
  /// The one-time code.
  case code
  /// The time from which the code is valid.
  case start
  /// The time at which the code expires.
  case expiry
  /// The code that cancels a recovery.
  case cancellation
  /// The page on which the code is entered.
  case link
  /// The page on which the code that cancels a recovery is entered.
  case cancellationLink = "cancellation-link"

  /// The placeholders that only mails with a code have.
  static let ofCodes: Set<MailPlaceholder> = [.code, .start, .expiry, .cancellation, .link, .cancellationLink]

  /// The placeholders without a value if the server has no pages.
  static let links: Set<MailPlaceholder> = [.link, .cancellationLink]

  /// The placeholders that are codes.
  static let codes: Set<MailPlaceholder> = [.code, .cancellation]

  /// The placeholders that contain codes.
  static let secret = codes.union(links)
}

/// Text with placeholders.
struct MailTemplateText: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case placeholder(MailPlaceholder)
  }

  private let lines: [[Part]]

  /// Parses a template. `name` is its name in errors.
  ///
  /// - Throws: `mail.template-malformed` or `mail.template-placeholder-unknown`.
  init(_ source: String, allowing allowed: Set<MailPlaceholder>, named name: String) throws(DeliveryError) {
    lines = try source.split(separator: "\n", omittingEmptySubsequences: false).map { (line) throws(DeliveryError) in
      try Self.parts(of: line, allowing: allowed, named: name)
    }
  }

  private static func parts(
    of line: Substring, allowing allowed: Set<MailPlaceholder>, named name: String
  ) throws(DeliveryError) -> [Part] {
    var parts: [Part] = []
    var rest = line
    while let start = rest.firstRange(of: "{{") {
      if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
        throw DeliveryError(.templateMalformed, "\(name): {{ without }}")
      }
      let word = rest[start.upperBound..<end.lowerBound].filter { $0 != " " }
      guard let placeholder = MailPlaceholder(rawValue: String(word)), allowed.contains(placeholder) else {
        let names = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        let shown = String(word.prefix(40).filter { $0.isASCII && !$0.isNewline })
        throw DeliveryError(.templatePlaceholderUnknown, "\(name): {{\(shown)}} is not one of \(names)")
      }
      parts.append(.placeholder(placeholder))
      rest = rest[end.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// Returns the text with values, which `escape` converts. A missing value is empty; a line with a link that has no value is
  /// left out, and so is a second empty line that this leaves.
  func filled(_ values: [MailPlaceholder: String], escape: (String) -> String = { $0 }) -> String {
    let missing = MailPlaceholder.links.filter { (link) in values[link] == nil }.map { (link) in Part.placeholder(link)
    }
    var filled: [String] = []
    var omits = false
    for line in lines {
      if missing.contains(where: { (link) in line.contains(link) }) {
        omits = true
        continue
      }
      if omits, line.isEmpty, filled.last?.isEmpty ?? true { continue }
      omits = false
      filled.append(
        line.map { (part) in
          switch part {
          case .text(let text): text
          case .placeholder(let name): escape(values[name] ?? "")
          }
        }.joined())
    }
    return filled.joined(separator: "\n")
  }

  func contains(_ placeholder: MailPlaceholder) -> Bool {
    lines.contains { (line) in line.contains(.placeholder(placeholder)) }
  }
}

/// The template of one kind of mail.
struct MailTemplate: Hashable, Sendable {
  let subject: MailTemplateText
  let text: MailTemplateText
  let html: MailTemplateText
  /// Whether the mail carries a code.
  let hasCode: Bool

  /// Parses the text form and the HTML form. A missing HTML form is derived from the text form.
  ///
  /// - Throws: a `mail.template-…` code.
  init(
    text source: String, html: String?, hasCode: Bool, language: String = "en", named name: String
  ) throws(DeliveryError) {
    let source = source.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    let beginning = "Subject: "
    guard source.hasPrefix(beginning), let end = source.firstRange(of: "\n\n") else {
      throw DeliveryError(.templateWithoutSubject, "\(name).txt: begin with a Subject: line and an empty line")
    }
    let subject = source[..<end.lowerBound].dropFirst(beginning.count)
    guard !subject.isEmpty, !subject.contains("\n") else {
      throw DeliveryError(.templateWithoutSubject, "\(name).txt: write the subject in one line")
    }
    var allowed = Set(MailPlaceholder.allCases)
    if !hasCode { allowed.subtract(MailPlaceholder.ofCodes) }
    let body = String(source[end.upperBound...])
    // Locked screens show subjects, so a subject must not contain the code.
    self.subject = try MailTemplateText(
      String(subject), allowing: allowed.subtracting(MailPlaceholder.secret), named: "\(name).txt")
    text = try MailTemplateText(body, allowing: allowed, named: "\(name).txt")
    self.html = try MailTemplateText(
      html ?? Self.html(fromSubject: String(subject), body, in: language), allowing: allowed, named: "\(name).html")
    self.hasCode = hasCode
    guard !hasCode || text.contains(.code) && self.html.contains(.code) else {
      throw DeliveryError(.templateWithoutCode, "\(name): write {{code}} in both forms")
    }
  }

  /// Returns HTML for plain text: a paragraph for each group of lines, large letters for a code on its own line, and links
  /// that can be clicked.
  private static func html(fromSubject subject: String, _ body: String, in language: String) -> String {
    let paragraphs = body.split(separator: "\n").isEmpty ? [] : paragraphs(body)
    let content = paragraphs.map { (lines) in
      let isCode = lines.count == 1 && MailPlaceholder.codes.contains { lines[0].filter { $0 != " " } == "{{\($0)}}" }
      let style = isCode ? "font-size:28px;letter-spacing:3px;font-family:monospace" : "margin:0 0 16px"
      return "<p style=\"\(style)\">\(lines.map(\.escapedForHTML.withAnchors).joined(separator: "<br>\n"))</p>\n"
    }.joined()
    return """
      <!DOCTYPE html>
      <html lang="\(language.escapedForHTML)">
      <head><meta charset="utf-8"><title>\(subject.escapedForHTML)</title></head>
      <body style="margin:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px">
      \(content)</body>
      </html>

      """
  }

  private static func paragraphs(_ body: String) -> [[String]] {
    var paragraphs: [[String]] = [[]]
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(String(line)) }
    }
    return paragraphs.filter { !$0.isEmpty }
  }
}

extension String {
  /// The HTML with an element for each placeholder of a link.
  fileprivate var withAnchors: String {
    MailPlaceholder.links.reduce(self) { (html, link) in
      html.replacing("{{\(link.rawValue)}}", with: "<a href=\"{{\(link.rawValue)}}\">{{\(link.rawValue)}}</a>")
    }
  }
}
