// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnClient

/// A session that a check opened, with what checks compare.
struct OpenSession: Sendable {
  let person: Person
  /// How requests present the session.
  var session: ServerSession
  /// The response that opened the session.
  let reply: ServerReply
  let isInCookie: Bool

  /// The token or the value of the session cookie.
  let secret: String

  /// The end of the session, if the server names it.
  var expiry: UnixTime? { session.expiry }

  /// The refresh token in the response; nil without one.
  var refreshToken: String? {
    get { session.refreshToken?.exposedText }
    set { session.refreshToken = newValue.map { .init(utf8: $0) } }
  }

  /// Throws ``CannotTell`` if the server continued another session instead of opening this one.
  func demandOther(than other: OpenSession) throws {
    guard secret != other.secret else { throw CannotTell("sign-ins continue one session") }
  }

  /// Returns the refresh token.
  ///
  /// - Throws: ``CannotTell`` without one.
  @discardableResult
  func requireRefreshToken() throws -> String {
    guard let refreshToken else { throw CannotTell("the server issues no refresh token") }
    return refreshToken
  }
}

/// A `Set-Cookie` field.
struct SetCookie: Sendable {
  let name: String
  let content: String
  private let attributes: [String: String]

  init(_ field: String) {
    let parts = field.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }
    let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(pair.first ?? "")
    content = pair.count > 1 ? String(pair[1]) : ""
    var attributes: [String: String] = [:]
    for part in parts.dropFirst() {
      let attribute = part.split(separator: "=", maxSplits: 1)
      if let name = attribute.first { attributes[name.lowercased()] = attribute.dropFirst().first?.lowercased() ?? "" }
    }
    self.attributes = attributes
  }

  /// Whether the cookie has a name, with a prefix or none.
  func has(name wanted: String) -> Bool { Self.isName(name, of: wanted) }

  /// Whether a cookie's name is another one, with a prefix or none.
  static func isName(_ name: String, of wanted: String) -> Bool {
    [wanted, "__Host-\(wanted)", "__Secure-\(wanted)"].contains(name)
  }

  /// Whether the cookie has an attribute, whose name is in lower case.
  func has(_ attribute: String) -> Bool { attributes[attribute] != nil }

  /// Returns the value of an attribute in lower case; an empty string if it is missing.
  func value(_ attribute: String) -> String { attributes[attribute] ?? "" }
}

extension ServerReply {
  /// The cookies that the response sets with a value.
  var setCookies: [SetCookie] {
    headers.filter { $0.name == "set-cookie" }.map { SetCookie($0.value) }.filter { !$0.content.isEmpty }
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// Throws ``CannotTell`` unless the request succeeded, because the check is about what follows.
  func require(_ name: String) throws {
    guard isSuccess else { throw CannotTell("\(name) was refused: \(shortened)") }
  }
}

extension Person {
  /// The ID of the passkey as it is in paths.
  var passkeyID: String { Base64URL.encode(passkey.id) }
}
