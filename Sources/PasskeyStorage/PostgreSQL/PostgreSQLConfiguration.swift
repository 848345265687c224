// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL
public import PasskeyService

/// Which PostgreSQL database to use, and how long to wait for it.
public struct PostgreSQLConfiguration: Hashable, Sendable {
  /// The database, as libpq names it: `postgres://user@host:5432/name`, or with several hosts, of which the one that can
  /// be written to is used. It may carry a password, and is never shown; what is special in a URL is escaped in it.
  public var url: String

  /// The schema that the tables are in.
  public var schema: String

  /// How many connections there are for reading; two more are for writing.
  public var readerCount: Int

  /// How long a host is waited for, in whole seconds of two or more.
  public var connectTimeout: Duration

  /// How long a statement may take on the server.
  public var statementTimeout: Duration

  /// How long a read or a write may wait for a server that is away, before it fails.
  public var patience: Duration

  /// Names a database; the rest has values that fit a sign-in.
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

  /// Whether libpq may send rows unencrypted to another machine: a host that is neither a socket nor loopback, with an
  /// `sslmode` of `disable`, `allow` or `prefer`, which is the default. `PGSSLMODE` and `PGHOST` count as libpq counts them.
  public var allowsPlainText: Bool { unsafe passkey_postgresql_allows_plain_text(url) == 1 }

  /// Demands that the database can be looked for under this name, without looking for it; a store that is opened demands it
  /// itself. What is thrown says nothing of the password, also where there is no saying where it ends.
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
