// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

/// A language of the pages, such as `de`.
struct PageLanguage: Hashable, Comparable, Sendable {
  /// The primary subtag of a language tag (RFC 5646): two or three lowercase letters.
  let tag: String

  init?(_ tag: String) {
    guard 2...3 ~= tag.utf8.count, tag.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) else {
      return nil
    }
    self.tag = tag
  }

  private init(known tag: String) {
    self.tag = tag
  }

  /// The language of a text that another language lacks.
  static let english = Self(known: "en")

  /// The texts of the release.
  static let embedded: [PageLanguage: [UInt8]] = [
    .english: PackageResources.strings_en_json, Self(known: "de"): PackageResources.strings_de_json,
    Self(known: "fr"): PackageResources.strings_fr_json, Self(known: "es"): PackageResources.strings_es_json,
  ]

  /// The name of the file with the texts.
  var fileName: String { "strings.\(tag).json" }

  /// The language of a file such as `strings.de.json`; nil for another name.
  init?(fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "strings", parts[2] == "json" else { return nil }
    self.init(String(parts[1]))
  }

  static func < (one: PageLanguage, other: PageLanguage) -> Bool { one.tag < other.tag }
}

/// The choice between the languages of the pages.
struct PageLanguageChoice {
  /// The cookie with the choice of a user, and the parameter that makes the choice.
  static let cookie = "page-language"
  private static let parameter = "language"

  /// The language of a response: the choice in the query, in the cookie, or the browser's.
  let language: PageLanguage

  /// Whether the query makes the choice.
  let isNew: Bool

  init(of request: EndpointRequest, among offered: some Collection<PageLanguage>) {
    func known(_ tag: String?) -> PageLanguage? {
      tag.flatMap { PageLanguage($0) }.flatMap { offered.contains($0) ? $0 : nil }
    }
    let chosen = known(request.target.queryValue(Self.parameter))
    let remembered = known(request.headers.cookie(Self.cookie, isSecure: request.isEncrypted))
    let preferred = AcceptLanguage.languages(in: request.headers["accept-language"] ?? "").lazy.compactMap(known).first
    language = chosen ?? remembered ?? preferred ?? .english
    isNew = chosen != nil
  }
}
