// SPDX-License-Identifier: Apache-2.0

/// The language and the time zone of mails about an account.
public struct MailLocale: Hashable, Sendable {
  /// The language, without its region, such as `de`; nil if it is not known.
  public let language: String?

  /// The name of the time zone in the IANA database, such as `Europe/Berlin`; nil for UTC.
  public let timeZone: String?

  /// Creates a locale from its stored fields.
  package init(language: String? = nil, timeZone: String? = nil) {
    self.language = language
    self.timeZone = timeZone
  }

  /// Returns this locale with another language or time zone; nil leaves one of them as it is.
  ///
  /// - Throws: `account.preferences-invalid` if the language is not a language tag, or the system has no such time zone.
  package func setting(language tag: String?, timeZone name: String?) throws(ServiceError) -> MailLocale {
    let (language, zone) = (tag.flatMap(Self.language(ofTag:)), name.flatMap(Self.zone(named:)))
    if tag != nil, language == nil { throw ServiceError(.preferencesInvalid, "the language is not a language tag") }
    if name != nil, zone == nil { throw ServiceError(.preferencesInvalid, "this system has no such time zone") }
    return MailLocale(language: language ?? self.language, timeZone: zone ?? timeZone)
  }

  /// Returns this locale with what it lacks and the request has; nil if that is nothing.
  func completed(by context: CallContext) -> MailLocale? {
    let completed = MailLocale(
      language: language ?? context.language.flatMap(Self.language(ofTag:)),
      timeZone: timeZone ?? context.timeZone.flatMap(Self.zone(named:)))
    return completed == self ? nil : completed
  }

  // 35 bytes [the longest tags that programs must take, RFC 5646 §4.4.1]
  private static let maximumTagLength = 35

  /// Returns the language of a language tag (RFC 5646), such as `de` for `de-AT`.
  private static func language(ofTag tag: String) -> String? {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    guard tag.utf8.count <= maximumTagLength, let language = parts.first?.lowercased(), 2...3 ~= language.count,
      language.allSatisfy({ (character) in "a"..."z" ~= character }),
      parts.allSatisfy({ (part) in
        1...8 ~= part.count && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
    else { return nil }
    return language
  }

  private static func zone(named name: String) -> String? { ZoneRules(named: name) == nil ? nil : name }
}
