// SPDX-License-Identifier: Apache-2.0

/// A cookie that is set in an answer (RFC 6265bis). It is always `HttpOnly`: no script has any business with a session.
///
/// Under TLS it is `Secure` and its name begins with `__Host-`, so that browsers keep it to this host and this path, and
/// no neighbour under the same domain can set it. Without TLS, which is for development, browsers would throw such a
/// cookie away: it has its plain name.
public struct Cookie: Hashable, Sendable {
  /// Whether it comes along with requests that other sites cause.
  public enum SameSite: String, Sendable {
    /// Only when somebody follows a link here.
    case lax = "Lax"
    /// Never.
    case strict = "Strict"
  }

  /// The name as it is sent, with its prefix.
  public let name: String

  /// The value.
  public let value: String

  /// How long browsers keep it; nil for as long as they run.
  public let maximumAge: Duration?

  /// Whether it comes along with requests that other sites cause.
  public let sameSite: SameSite

  /// Whether it is sent under TLS only.
  public let isSecure: Bool

  /// A cookie; nil where the name or the value has characters that no cookie may have.
  ///
  /// Where `keepsPlainName` is set, the name has no prefix under TLS either, as a client expects that knows it so.
  public init?(
    _ name: String, _ value: String, isSecure: Bool, maximumAge: Duration? = nil, sameSite: SameSite = .lax,
    keepsPlainName: Bool = false
  ) {
    guard HTTPHeaders.isToken(name.utf8), value.utf8.allSatisfy(Self.isValueCharacter) else { return nil }
    self.name = Self.sentName(name, isSecure: isSecure && !keepsPlainName)
    self.value = value
    self.maximumAge = maximumAge
    self.sameSite = sameSite
    self.isSecure = isSecure
  }

  /// What makes browsers forget a cookie of this name.
  public static func expired(_ name: String, isSecure: Bool, keepsPlainName: Bool = false) -> Cookie? {
    Cookie(name, "", isSecure: isSecure, maximumAge: .zero, keepsPlainName: keepsPlainName)
  }

  /// The value of a `Set-Cookie` field.
  public var field: String {
    var text = "\(name)=\(value); Path=/; HttpOnly; SameSite=\(sameSite.rawValue)"
    if isSecure { text += "; Secure" }
    if let maximumAge { text += "; Max-Age=\(max(0, maximumAge.components.seconds))" }
    return text
  }

  static func sentName(_ name: String, isSecure: Bool) -> String {
    isSecure ? "__Host-\(name)" : name
  }

  static func isValueCharacter(_ byte: UInt8) -> Bool {
    0x21...0x7e ~= byte && !"\",;\\".utf8.contains(byte)
  }
}

extension HTTPHeaders {
  /// The value of the cookie of this name that the client sent.
  ///
  /// Under TLS only the one with the prefix counts. Where the name comes twice, none does: one of them was set by
  /// somebody else, and nothing says which.
  public func cookie(_ name: String, isSecure: Bool, keepsPlainName: Bool = false) -> String? {
    let wanted = Cookie.sentName(name, isSecure: isSecure && !keepsPlainName)
    var found: [String] = []
    for line in values("cookie") {
      for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
        guard QuotedList.trimmed(pair[..<equals]) == wanted else { continue }
        found.append(QuotedList.unquoted(String(decoding: pair[equals...].dropFirst(), as: UTF8.self)))
      }
    }
    guard found.count == 1, found[0].utf8.allSatisfy(Cookie.isValueCharacter) else { return nil }
    return found[0]
  }
}

extension HTTPResponse {
  /// Adds a cookie to the answer.
  public mutating func set(_ cookie: Cookie) {
    headers.add("set-cookie", cookie.field)
  }
}
