// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport

/// The PostgreSQL server that `Scripts/lib/with-postgresql` runs for the tests.
enum PostgreSQLControl {
  struct Refused: Error {
    let arguments: [String]
    let printed: String
  }

  static let isPresent = variable("PASSKEY_TEST_POSTGRESQL") != nil

  static let absence = "Scripts/lib/with-postgresql runs the tests with a PostgreSQL server"

  /// Creates a database for one test and returns its URL.
  static func freshDatabase() async throws -> String {
    let name = "whole_\(Hex.encode(try RandomSource.system.bytes(8)[...]))"
    try await run("database", name)
    guard let url = variable("PASSKEY_TEST_POSTGRESQL") else { throw Refused(arguments: [name], printed: absence) }
    return url.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/\(name)"
  }

  /// Stops or starts the server and waits until that is done.
  static func run(_ arguments: String...) async throws {
    guard let program = variable("PASSKEY_TEST_POSTGRESQL_CONTROL") else {
      throw Refused(arguments: arguments, printed: absence)
    }
    let printed = try await waiting {
      try Shell.run("'\(program)' \(arguments.joined(separator: " "))", in: "/")
    }
    guard printed.isEmpty else { throw Refused(arguments: arguments, printed: printed) }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
