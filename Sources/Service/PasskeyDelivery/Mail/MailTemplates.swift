// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// The templates of all mails, by the name of the event.
public struct MailTemplates: Sendable {
  private var templates: [String: MailTemplate] = [:]

  /// The templates in other languages, by `EVENT.LANGUAGE`.
  private var translations: [String: MailTemplate] = [:]

  /// The name of the template for a test mail. It is not an event.
  static let test = "mail.test"

  /// Events of procedures that need mail, such as recovery. Their mails are sent even if the server's choice of
  /// events omits them.
  public static let alwaysSent: Set<String> = eventsWithCode.union([
    "account.sign-up-attempted", "email.change-requested", "email.changed", "email.replaced",
    "account.recovery-cancelled",
  ])

  /// Events whose mails carry a code.
  static let eventsWithCode: Set<String> = [
    "email.verification-requested", "account.recovery-requested", "account.invited",
  ]

  /// The sources of the embedded templates in other languages. Only the test mail has none.
  static let translatedSources = ["de": german, "fr": french, "es": spanish]

  /// Events whose mails are sent only if the server asks for them: people would get too many.
  private static let onRequest: Set<String> = ["session.opened"]

  /// Loads the embedded templates, which are in the languages of the pages.
  ///
  /// - Throws: a `mail.template-…` code if an embedded template is malformed.
  public init() throws(DeliveryError) {
    for (name, source) in Self.embedded {
      templates[name] = try MailTemplate(
        text: source, html: nil, hasCode: Self.eventsWithCode.contains(name), named: name)
    }
    for (language, sources) in Self.translatedSources {
      for (event, source) in sources {
        translations["\(event).\(language)"] = try MailTemplate(
          text: source, html: nil, hasCode: Self.eventsWithCode.contains(event), language: language,
          named: "\(event).\(language)")
      }
    }
  }

  /// Loads the embedded templates, and the templates of a folder, which replace embedded ones of the same name.
  ///
  /// `EVENT.txt` contains the subject and the plain text. `EVENT.html` contains the HTML form and is optional.
  /// `EVENT.LANGUAGE.txt` is the form in one language; without one, `EVENT.txt` replaces all languages. Blocks while it
  /// reads files.
  ///
  /// - Throws: a `mail.template-…` code.
  public init(folder: String) throws(DeliveryError) {
    try self.init()
    let names = try Self.names(in: folder)
    let known = names.union(templates.keys)
    for name in names where Self.translated(name, of: known) == nil {
      translations = translations.filter { (translation) in Self.translated(translation.key, of: known)?.event != name }
    }
    for name in names {
      let text = try Self.file("\(folder)/\(name).txt")
      guard let text else {
        throw DeliveryError(.templateUnreadable, "\(name).html needs a file \(name).txt")
      }
      let html = try Self.file("\(folder)/\(name).html")
      if let (event, language) = Self.translated(name, of: known) {
        translations[name] = try MailTemplate(
          text: text, html: html, hasCode: Self.eventsWithCode.contains(event), language: language, named: name)
      } else {
        templates[name] = try MailTemplate(
          text: text, html: html, hasCode: Self.eventsWithCode.contains(name), named: name)
      }
    }
  }

  /// Returns the event and the language of a name such as `account.invited.de`; nil for the name of an event.
  private static func translated(_ name: String, of events: Set<String>) -> (event: String, language: String)? {
    let parts = name.split(separator: ".")
    let event = parts.dropLast().joined(separator: ".")
    guard let language = parts.last, 2...3 ~= language.utf8.count, events.contains(event) else { return nil }
    return (event, String(language))
  }

  /// The events that have a template.
  public var events: [String] { templates.keys.filter { $0 != Self.test }.sorted() }

  /// The events whose mails are sent unless the server chooses others: all but `session.opened`, which is every sign-in.
  public var defaultEvents: [String] { events.filter { (event) in !Self.onRequest.contains(event) } }

  /// Returns the template of an event, in a language if there is one.
  subscript(name: String, language: String? = nil) -> MailTemplate? {
    language.flatMap { translations["\(name).\($0)"] } ?? templates[name]
  }

  /// Returns the names of the templates in a folder, without their endings.
  private static func names(in folder: String) throws(DeliveryError) -> Set<String> {
    let files = try mapError(OpenFile(folder, .folder).names()) { (error: SystemError) in
      DeliveryError(.templateUnreadable, "the folder of templates: \(error.message)")
    }
    var names: Set<String> = []
    for file in files where !file.hasPrefix(".") {
      guard let dot = file.lastIndex(of: "."), ["txt", "html"].contains(file[file.index(after: dot)...]),
        isEvent(file[..<dot])
      else {
        throw DeliveryError(
          .templateUnreadable, "\(file.escapedForTerminal): name a template EVENT.txt or EVENT.html")
      }
      names.insert(String(file[..<dot]))
    }
    return names
  }

  private static func isEvent(_ name: Substring) -> Bool {
    name.contains(".") && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }
  }

  /// Returns the content of a file, or nil if it does not exist.
  private static func file(_ path: String) throws(DeliveryError) -> String? {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try OpenFile(path, .reading).readToEnd(limit: maximumByteCount)
    } catch {
      if error == .noSuchFile { return nil }
      throw DeliveryError(.templateUnreadable, "\(path.escapedForTerminal): \(error.message)")
    }
    guard let bytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw DeliveryError(.templateUnreadable, "\(path.escapedForTerminal): more than 64 KiB, or not UTF-8")
    }
    return text
  }

  // 64 KiB [mail programs cut mails at about 100 KiB]
  private static let maximumByteCount = 1 << 16
}
