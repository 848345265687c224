// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import PasskeyCrypto
import PasskeyFormats
@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeyStorage

/// Tests that need a PostgreSQL server. They run serially, because some of them stop it.
@Suite(.tags(.postgres), .serialized, .enabled(if: PostgreSQLServer.isThere, "\(PostgreSQLServer.absence)"))
enum PostgreSQLTests {}

/// The PostgreSQL server that `Scripts/lib/with-postgresql` starts for tests.
enum PostgreSQLServer {
  /// The reason for skipping tests without a server.
  static let absence = "no PostgreSQL here: Scripts/test starts one, and so does Scripts/lib/with-postgresql"

  static let url: String? = variable("PASSKEY_TEST_POSTGRESQL")
  static let isThere = url != nil

  /// The URL of a pooler in transaction mode before the server, with one server session.
  static let pooler: String? = variable("PASSKEY_TEST_POSTGRESQL_POOLER")

  /// Returns a configuration with a schema for one test.
  static func configuration(
    url: String? = nil, schema: String? = nil, reconnectTimeout: Duration = .seconds(10)
  ) throws -> PostgreSQLConfiguration {
    guard let url = url ?? Self.url else { throw StorageError(.unavailable, absence) }
    return PostgreSQLConfiguration(
      url: url, schema: try schema ?? freshName(), readerCount: 2, connectTimeout: .seconds(2),
      reconnectTimeout: reconnectTimeout)
  }

  static func freshName() throws -> String {
    "test_" + Hex.encode(try RandomSource.system.bytes(8))
  }

  /// Runs a statement as the server's administrator.
  @discardableResult
  static func run(_ statement: String) async throws -> [SQLRow] {
    let configuration = try configuration(schema: "public")
    return try await WorkerThread.run { () throws(StorageError) in
      do throws(PostgreSQLFailure) {
        return try PostgreSQLConnection(configuration).rows(statement)
      } catch {
        throw error.error
      }
    }
  }

  /// Opens a connection and runs statements on it.
  static func connection(
    _ configuration: PostgreSQLConfiguration, running statements: [String]
  ) async throws -> PostgreSQLConnection {
    try await WorkerThread.run { () throws(StorageError) in
      do throws(PostgreSQLFailure) {
        let connection = try PostgreSQLConnection(configuration)
        for statement in statements { _ = try connection.rows(statement) }
        return connection
      } catch {
        throw error.error
      }
    }
  }

  /// Ends all connections, as an administrator can.
  static func endConnections() async throws {
    try await run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL
      """)
  }

  /// Stops or starts the server and waits until that is done.
  static func control(_ arguments: String...) async throws {
    guard let program = variable("PASSKEY_TEST_POSTGRESQL_CONTROL") else {
      throw StorageError(.unavailable, "PASSKEY_TEST_POSTGRESQL_CONTROL is not set")
    }
    let status = try await waiting {
      var argv = unsafe ([program] + arguments).map { (argument) in unsafe strdup(argument) } + [nil]
      defer { unsafe argv.forEach { (text) in unsafe free(text) } }
      var identifier: pid_t = 0
      var status: Int32 = -1
      if unsafe posix_spawn(&identifier, program, nil, nil, &argv, environ) == 0 {
        unsafe waitpid(identifier, &status, 0)
      }
      return status
    }
    guard status == 0 else { throw StorageError(.unavailable, "the server does not \(arguments)") }
  }

  /// Returns the URL of the second server, which ``control(_:)`` has created.
  static func standbyURL() throws -> String {
    let folder = (variable("PASSKEY_TEST_POSTGRESQL_CONTROL") ?? "").split(separator: "/").dropLast().joined(
      separator: "/")
    return String(decoding: try File.bytes("/\(folder)/standby-url"), as: UTF8.self).filter { !$0.isNewline }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
