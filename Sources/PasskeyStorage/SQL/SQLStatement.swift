// SPDX-License-Identifier: Apache-2.0

/// A statement in the SQL subset that SQLite and PostgreSQL share, with parameters `$1`, `$2` and so on.
///
/// PostgreSQL infers parameter types from context. A parameter compared with an integer literal would be inferred as a
/// shorter integer than the eight bytes sent.
struct SQLStatement: Sendable {
  let text: String
  let values: [SQLValue]

  init(_ text: String, _ values: [SQLValue] = []) {
    self.text = text
    self.values = values
  }
}

extension SQLStatement {
  /// Marks a scrub of the files as due, in the transaction that deletes personal data.
  static let scrubbing = SQLStatement("UPDATE scrubs SET due = due + 1 WHERE id = 1")
}
