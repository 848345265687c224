// SPDX-License-Identifier: Apache-2.0

/// Which PostgreSQL database to use, and how long to wait for it.
public struct PostgreSQLConfiguration: Hashable, Sendable {
  /// The database, as libpq names it: `postgres://user@host:5432/name`, or with several hosts, of which the one that can
  /// be written to is used. It may carry a password and is never shown.
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
}
