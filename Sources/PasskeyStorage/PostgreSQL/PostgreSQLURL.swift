// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// The text that names a database, as it is read before libpq is given it.
///
/// libpq repeats a host or a port that it cannot use. In a URL whose password is not escaped, that is a part of the
/// password; and in one that it cannot read at all, it is everything.
struct PostgreSQLURL {
  let text: String

  /// Whether libpq can read it.
  var isReadable: Bool {
    guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return false }
    return unsafe passkey_postgresql_can_read(text) == 1
  }

  /// Whether it is plain where user and password end: whatever else stands there is escaped, as it should be.
  var hasOnePassword: Bool {
    let text = text.utf8
    guard let scheme = text.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let rest = text[scheme...].dropFirst("://".utf8.count)
    // There are user and password where an at sign comes before a slash.
    let end = rest.firstIndex { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") } ?? rest.endIndex
    let hasUser = end < rest.endIndex && rest[end] == UInt8(ascii: "@")
    let location = (hasUser ? rest[end...].dropFirst() : rest).prefix { $0 != UInt8(ascii: "?") }
    guard !location.contains(UInt8(ascii: "@")) else { return false }
    guard hasUser else { return Self.hasNumberedPorts(location.prefix { $0 != UInt8(ascii: "/") }) }
    return rest[..<end].count { $0 == UInt8(ascii: ":") } <= 1 && Self.isEscaped(rest[..<end])
  }

  /// Whether what stands behind hosts are ports. What is no number there may be the password of a user without a host.
  private static func hasNumberedPorts(_ hosts: Substring.UTF8View) -> Bool {
    hosts.split(separator: UInt8(ascii: ",")).allSatisfy { (host) in
      // An address of version 6 has brackets, and colons between them.
      let end = host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
      guard let colon = host[end...].firstIndex(of: UInt8(ascii: ":")) else { return true }
      return host[host.index(after: colon)...].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }

  /// Whether each percent sign has its two digits.
  private static func isEscaped(_ text: Substring.UTF8View) -> Bool {
    text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { (part) in
      part.count >= 2 && part.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
  }
}
