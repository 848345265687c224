// SPDX-License-Identifier: Apache-2.0

/// A statement in the part of SQL that SQLite and PostgreSQL share, with its parameters `$1`, `$2` and so on.
///
/// The types of parameters are those that PostgreSQL finds from where they stand: one that is compared with a literal
/// number would be taken for a shorter integer than is sent.
struct SQLStatement: Sendable {
  let text: String
  let values: [SQLValue]

  init(_ text: String, _ values: [SQLValue] = []) {
    self.text = text
    self.values = values
  }
}

extension SQLStatement {
  /// Notes, in the transaction that deletes something about a person, that it has to be scrubbed out of the files.
  static let scrubbing = SQLStatement("UPDATE scrubs SET due = due + 1 WHERE id = 1")
}
