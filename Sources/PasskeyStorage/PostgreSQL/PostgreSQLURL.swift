// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// A connection URL, checked before it is passed to libpq.
///
/// libpq's error messages repeat a host or port that it cannot use. In a URL with an unescaped password, that may be
/// part of the password. If libpq cannot parse the URL, its message repeats all of it.
struct PostgreSQLURL {
  let text: String

  /// Whether libpq can parse the URL.
  var isReadable: Bool {
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return false }
    return unsafe passkey_postgresql_can_read(text) == 1
  }

  /// Whether user and password are delimited unambiguously, with all special characters percent-encoded.
  var hasOnePassword: Bool {
    let text = text.utf8
    guard let scheme = text.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let rest = text[scheme...].dropFirst("://".utf8.count)
    // An at sign before the first slash ends the user and password.
    let end = rest.firstIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") } ?? rest.endIndex
    let hasUser = end < rest.endIndex && rest[end] == UInt8(ascii: "@")
    let location = (hasUser ? rest[end...].dropFirst() : rest).prefix { $0 != UInt8(ascii: "?") }
    guard !location.contains(UInt8(ascii: "@")) else { return false }
    guard hasUser else { return Self.hasNumberedPorts(location.prefix { $0 != UInt8(ascii: "/") }) }
    return rest[..<end].count { $0 == UInt8(ascii: ":") } <= 1 && Self.isEscaped(rest[..<end])
  }

  /// Whether every port is numeric. A port that is not may be the password of a URL without a host.
  private static func hasNumberedPorts(_ hosts: Substring.UTF8View) -> Bool {
    hosts.split(separator: UInt8(ascii: ",")).allSatisfy { (host) in
      // An IPv6 address is in brackets and contains colons.
      let end = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
      guard let colon = host[end...].firstIndex(of: UInt8(ascii: ":")) else { return true }
      return host[host.index(after: colon)...].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }

  /// Whether two hexadecimal digits follow each percent sign.
  private static func isEscaped(_ text: Substring.UTF8View) -> Bool {
    text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { (part) in
      part.count >= 2 && part.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
  }
}
