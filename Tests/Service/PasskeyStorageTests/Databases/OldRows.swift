// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport

@testable import PasskeyStorage

extension Account {
  /// Inserts the account into the schema of 0.1.0, which knows neither user names nor verified addresses.
  var insertionInFirstSchema: SQLStatement {
    SQLStatement(
      "INSERT INTO accounts (handle, email, state, roles, created, administers) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .opaque(handle), .text(email?.text), .text(state.rawValue), .roles(roles), .time(created),
        .flag(isActingAdministrator),
      ])
  }
}

extension Device {
  /// Inserts the device into the schema of 0.1.0, which knows no revocation.
  var insertionInFirstSchema: SQLStatement {
    SQLStatement(
      "INSERT INTO devices (id, user_handle, service, token, created, number) VALUES ($1, $2, $3, $4, $5, $6)",
      [.fixed(id), .opaque(user), .utf8(service.rawValue), .utf8(token), .time(created), .integer(1)])
  }
}

extension IssuedCode {
  /// Inserts the code into the schema of 0.1.0, which knows no waiting period.
  var insertionInFirstSchema: SQLStatement {
    SQLStatement(
      "INSERT INTO codes (digest, purpose, account, email, roles, created, expiry) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        .fixed(digest), .text(purpose.rawValue), .opaque(account), .text(email?.text), .roles(roles), .time(created),
        .time(expiry),
      ])
  }
}

extension Migration {
  /// The migrations before user names, the last of which also inserts these rows.
  static func beforeNames(inserting rows: [SQLStatement]) throws -> [Migration] {
    try before(accountNames, inserting: rows)
  }

  /// The migrations before one, the last of which also inserts these rows.
  static func before(_ migration: Migration, inserting rows: [SQLStatement]) throws -> [Migration] {
    var migrations = Array(all.prefix { $0.purpose != migration.purpose })
    guard let last = migrations.popLast() else { return [] }
    return migrations + [Migration(purpose: last.purpose, statements: last.statements, rows: last.rows + rows)]
  }
}

enum OldRows {
  /// An account with a recovery code of an administrator.
  static func accountWithCode() throws -> (account: Account, code: IssuedCode) {
    let account = try Sample.account()
    let code = IssuedCode(
      digest: try Sample.identifier(), purpose: .recovery, account: account.handle, created: Sample.start,
      expiry: Sample.time(60))
    return (account, code)
  }
}
