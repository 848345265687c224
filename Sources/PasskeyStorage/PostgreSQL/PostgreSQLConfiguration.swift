// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL
public import PasskeyService

/// The connection settings of a PostgreSQL database.
public struct PostgreSQLConfiguration: Hashable, Sendable {
  /// The libpq connection URL: `postgres://user@host:5432/name`, or a list of hosts, of which the writable one is used.
  /// It may contain a password and is never printed. Special characters must be percent-encoded.
  public var url: String

  /// The schema that contains the tables.
  public var schema: String

  /// The number of read connections. Two further connections write.
  public var readerCount: Int

  /// The connection time-out of each host, in whole seconds, at least two.
  public var connectTimeout: Duration

  /// The time-out of a statement on the server.
  public var statementTimeout: Duration

  /// How long a read or a write waits for an unreachable server before it fails.
  public var patience: Duration

  /// Creates a configuration. The default time-outs suit interactive sign-ins.
  public init(
    url: String, schema: String = "passkey", readerCount: Int = 4, connectTimeout: Duration = .seconds(3),
    statementTimeout: Duration = .seconds(5), patience: Duration = .seconds(3)
  ) {
    self.url = url
    self.schema = schema
    self.readerCount = readerCount
    self.connectTimeout = connectTimeout
    self.statementTimeout = statementTimeout
    self.patience = patience
  }

  /// Whether libpq may send rows unencrypted over the network: the host is neither a socket nor loopback, and `sslmode`
  /// is `disable`, `allow` or `prefer` (the default). Takes `PGSSLMODE` and `PGHOST` into account, as libpq does.
  public var allowsPlainText: Bool { unsafe passkey_postgresql_allows_plain_text(url) == 1 }

  /// Validates the URL and the schema name without connecting. Opening a store calls it too. The thrown error never
  /// contains the password, not even if the URL is malformed.
  public func requireReadable() throws(StorageError) {
    let url = PostgreSQLURL(text: url)
    guard url.hasOnePassword else {
      throw StorageError(.configurationInvalid, "it may have a password that is not escaped")
    }
    guard url.isReadable else {
      throw StorageError(.configurationInvalid, "the database is named as postgres://user@host:port/name")
    }
    let schema = schema.utf8
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = schema.first, letters.contains(first), schema.count <= 63,
      schema.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") })
    else {
      throw StorageError(.configurationInvalid, "a schema's name is lower-case letters, digits and underscores")
    }
  }
}
