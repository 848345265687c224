// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

/// A language of the pages.
enum PageLanguage: String, CaseIterable {
  case english = "en"
  case german = "de"

  /// The names of all languages, for a message.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The cookie with the choice of a user, and the parameter that makes the choice.
  static let cookie = "page-language"
  static let parameter = "language"

  /// The choice in the query of a request.
  static func chosen(in request: EndpointRequest) -> PageLanguage? {
    request.target.queryValue(parameter).flatMap { PageLanguage(rawValue: $0) }
  }

  /// The language of a response: the choice in the query, in the cookie, or the browser's.
  init(of request: EndpointRequest) {
    let remembered = request.headers.cookie(Self.cookie, isSecure: request.isEncrypted)
    self =
      Self.chosen(in: request) ?? remembered.flatMap { PageLanguage(rawValue: $0) }
      ?? Self.preferred(by: request.headers["accept-language"] ?? "") ?? .english
  }

  /// Returns the preferred language of an `Accept-Language` field.
  static func preferred(by field: String) -> PageLanguage? {
    AcceptLanguage.languages(in: field).lazy.compactMap { PageLanguage(rawValue: $0) }.first
  }
}
