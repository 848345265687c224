// SPDX-License-Identifier: Apache-2.0

/// One step of a schema's history. What was released is never changed: what has to be otherwise is a further step.
struct Migration: Sendable {
  /// What the step is for.
  let purpose: String

  /// Its statements, with the column types of SQLite.
  let statements: [String]

  /// Rows that are there from then on.
  let rows: [SQLStatement]

  /// The same statements with the types of PostgreSQL, which has other names for those that differ, and no tables that are
  /// an index.
  var postgreSQLStatements: [String] {
    statements.map { (statement) in
      let words = statement.replacing(" WITHOUT ROWID", with: "")
        .split(omittingEmptySubsequences: false) { (character) in character == " " }
      return words.map { (word) in
        let name = word.prefix { (character) in character.isLetter }
        let rest = word.dropFirst(name.count)
        return switch name {
        case "BLOB": "bytea" + rest
        case "INTEGER": "bigint" + rest
        default: String(word)
        }
      }.joined(separator: " ")
    }
  }
}
