// SPDX-License-Identifier: Apache-2.0

/// A cookie for a response (RFC 6265bis). It is always `HttpOnly`, so scripts cannot read it.
///
/// A secure cookie has the `Secure` attribute and the prefix `__Host-`: browsers bind it to this host and the path `/`,
/// and a sibling domain cannot set it. Over plain HTTP, which is for development, browsers would reject such a cookie,
/// so it keeps its plain name.
public struct EndpointCookie: Hashable, Sendable {
  /// Whether browsers send the cookie with cross-site requests.
  public enum SameSite: String, Sendable {
    /// Only with top-level navigation, such as a followed link.
    case lax = "Lax"
    /// Never with cross-site requests.
    case strict = "Strict"
  }

  /// The name with its prefix, as sent.
  public let name: String

  /// The value.
  public let value: String

  /// How long browsers store the cookie; nil for a session cookie.
  public let maximumAge: Duration?

  /// Whether browsers send the cookie with cross-site requests.
  public let sameSite: SameSite

  /// Whether browsers send the cookie only over TLS.
  public let isSecure: Bool

  /// The domain to whose hosts browsers send the cookie; nil for this host alone. Only for cookies with a plain name.
  public var domain: String?

  /// The path under which browsers send the cookie. Another than `/` is only for cookies with a plain name.
  public var path = "/"

  /// Creates a cookie; nil if the name or the value has characters that cookies do not allow.
  ///
  /// If `keepsPlainName` is true, the name has no prefix over TLS either, for clients that expect the plain name.
  public init?(
    _ name: String, _ value: String, isSecure: Bool, maximumAge: Duration? = nil, sameSite: SameSite = .lax,
    keepsPlainName: Bool = false
  ) {
    guard EndpointHeaders.isToken(name.utf8), value.utf8.allSatisfy(Self.isValueCharacter) else { return nil }
    self.name = Self.prefixedName(name, isSecure: isSecure && !keepsPlainName)
    self.value = value
    self.maximumAge = maximumAge
    self.sameSite = sameSite
    self.isSecure = isSecure
  }

  /// Returns an expired cookie, which makes browsers delete the cookie of this name.
  public static func expired(_ name: String, isSecure: Bool, keepsPlainName: Bool = false) -> EndpointCookie? {
    EndpointCookie(name, "", isSecure: isSecure, maximumAge: .zero, keepsPlainName: keepsPlainName)
  }

  /// The value of a `Set-Cookie` field.
  public var field: String {
    var text = "\(name)=\(value); Path=\(path); HttpOnly; SameSite=\(sameSite.rawValue)"
    if let domain { text += "; Domain=\(domain)" }
    if isSecure { text += "; Secure" }
    if let maximumAge { text += "; Max-Age=\(max(0, maximumAge.components.seconds))" }
    return text
  }

  static func prefixedName(_ name: String, isSecure: Bool) -> String {
    isSecure ? "__Host-\(name)" : name
  }

  static func isValueCharacter(_ byte: UInt8) -> Bool {
    0x21...0x7e ~= byte && !"\",;\\".utf8.contains(byte)
  }
}

extension EndpointHeaders {
  /// Finds the value of a cookie in the request.
  ///
  /// - Parameters:
  ///   - name: The name, without a prefix.
  ///   - isSecure: Whether only the prefixed name matches, as in requests over TLS.
  ///   - keepsPlainName: Whether the cookie has its plain name over TLS too.
  /// - Returns: The value; nil if the cookie is missing or repeated. Another site may have set one of the repeated values,
  ///   and the request does not say which.
  public func cookie(_ name: String, isSecure: Bool, keepsPlainName: Bool = false) -> String? {
    let wanted = EndpointCookie.prefixedName(name, isSecure: isSecure && !keepsPlainName)
    var found: [String] = []
    for line in values("cookie") {
      for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
        guard QuotedList.trimmed(pair[..<equals]) == wanted else { continue }
        found.append(QuotedList.unquoted(String(decoding: pair[equals...].dropFirst(), as: UTF8.self)))
      }
    }
    guard found.count == 1, found[0].utf8.allSatisfy(EndpointCookie.isValueCharacter) else { return nil }
    return found[0]
  }
}

extension EndpointResponse {
  /// Adds a cookie to the response.
  public mutating func set(_ cookie: EndpointCookie) {
    headers.add("set-cookie", cookie.field)
  }
}
