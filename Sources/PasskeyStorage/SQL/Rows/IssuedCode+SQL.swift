// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension IssuedCode {
  static let columns = "digest, purpose, account, email, roles, created, expiry"

  static let byDigest = "SELECT \(columns) FROM codes WHERE digest = $1"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    let email = row.isNull(3) ? nil : try row.text(3)
    self.init(
      digest: try row.fixed(0), purpose: try row.name(1), account: try row.optionalHandle(2),
      email: try row.checked(3) { try email.map { try EmailAddress($0) } }, roles: try row.roles(4),
      created: try row.time(5), expiry: try row.time(6))
  }

  /// Statements that store the code. A code for an account replaces the account's earlier codes.
  var insertions: [SQLStatement] {
    let insertion = SQLStatement(
      "INSERT INTO codes (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        .fixed(digest), .text(purpose.rawValue), .opaque(account), email.map { .text($0.text) } ?? .null,
        .roles(roles), .time(created), .time(expiry),
      ])
    guard let account else { return [insertion] }
    return [SQLStatement("DELETE FROM codes WHERE account = $1", [.opaque(account)]), insertion]
  }
}
