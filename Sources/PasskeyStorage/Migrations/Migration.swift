// SPDX-License-Identifier: Apache-2.0

/// One step of the schema's history. A released step is never changed; corrections are new steps.
struct Migration: Sendable {
  /// The purpose of the step.
  let purpose: String

  /// SQL statements with SQLite's column types.
  let statements: [String]

  /// Rows inserted by the step.
  let rows: [SQLStatement]

  /// The statements for PostgreSQL: column types renamed, `WITHOUT ROWID` removed.
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
