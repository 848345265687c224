// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyPostgreSQL
public import PasskeyStorage

/// The connection settings of a PostgreSQL database.
public struct PostgreSQLConfiguration: Hashable, Sendable {
  /// The libpq connection URL: `postgres://user@host:5432/name`, or a list of hosts, of which the writable one is used.
  /// It may contain a password and is never printed. Special characters must be percent-encoded.
  public var url: String

  /// The schema that contains the tables.
  public var schema: String

  /// The number of read connections.
  public var readerCount: Int

  /// The number of connections that commit sign-ins and other work on what they lock. Four further connections write.
  public var writerCount: Int

  /// The connection time-out of each host, in whole seconds, at least two.
  public var connectTimeout: Duration

  /// The time-out of a statement on the server.
  public var statementTimeout: Duration

  /// How long a read or a write waits for an unreachable server before it fails.
  public var reconnectTimeout: Duration

  /// Creates a configuration. The default time-outs suit interactive sign-ins.
  ///
  /// - Parameters:
  ///   - url: The connection URL. Its parameter `schema`, as in `postgres://user@host/name?schema=passkey`, is not libpq's
  ///     and is taken out.
  ///   - schema: The schema; nil for the one in the URL, or else `passkey`.
  ///   - readerCount: The number of read connections.
  ///   - writerCount: The number of connections that commit sign-ins and other work on what they lock.
  ///   - connectTimeout: The connection time-out of each host.
  ///   - statementTimeout: The time-out of a statement on the server.
  ///   - reconnectTimeout: How long to wait for an unreachable server.
  public init(
    url: String, schema: String? = nil, readerCount: Int = 4, writerCount: Int = 4,
    connectTimeout: Duration = .seconds(3), statementTimeout: Duration = .seconds(5),
    reconnectTimeout: Duration = .seconds(3)
  ) {
    let parts = PostgreSQLURL(text: url).parts
    self.url = parts.url
    self.schema = schema ?? parts.schema ?? "passkey"
    self.readerCount = readerCount
    self.writerCount = writerCount
    self.connectTimeout = connectTimeout
    self.statementTimeout = statementTimeout
    self.reconnectTimeout = reconnectTimeout
  }

  /// Whether libpq may send rows unencrypted over the network: the host is neither a socket nor loopback, and `sslmode`
  /// is `disable`, `allow` or `prefer` (the default). Takes `PGSSLMODE` and `PGHOST` into account, as libpq does.
  public var allowsPlainText: Bool { unsafe passkey_postgresql_allows_plain_text(url) == 1 }

  /// Validates the URL and the schema name without connecting. Opening a store calls it too.
  ///
  /// - Throws: `storage.configuration-invalid`. The error never contains the password, not even if the URL is malformed.
  public func requireReadable() throws(StorageError) {
    let url = PostgreSQLURL(text: url)
    guard url.hasOnePassword else {
      throw StorageError(.configurationInvalid, "the URL may contain a password that is not percent-encoded")
    }
    guard url.isReadable else {
      throw StorageError(.configurationInvalid, "the URL must have the form postgres://user@host:port/name")
    }
    let schema = schema.utf8
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = schema.first, letters.contains(first), schema.count <= 63,
      schema.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") })
    else {
      throw StorageError(
        .configurationInvalid, "the name of the schema must have lower-case letters, digits and underscores only")
    }
  }
}

/// A connection URL, checked before it is passed to libpq.
///
/// libpq's error messages repeat a host or port that it cannot use. In a URL with an unescaped password, that may be
/// part of the password. If libpq cannot parse the URL, its message repeats all of it.
struct PostgreSQLURL {
  let text: String

  /// The URL for libpq, and the schema in the parameter `schema`, which libpq does not know.
  var parts: (url: String, schema: String?) {
    guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
    let parameters = text[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    guard let schema = parameters.last(where: { $0.hasPrefix("schema=") }) else { return (text, nil) }
    let rest = parameters.filter { !$0.hasPrefix("schema=") }.joined(separator: "&")
    return (text[..<mark] + (rest.isEmpty ? "" : "?\(rest)"), String(schema.dropFirst("schema=".count)))
  }

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

  /// Returns whether every port is a number. Otherwise the text after the colon may be a password, as in
  /// `postgres://ada:secret`.
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
