// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The names of the store's tables and indexes in a database.
///
/// Statements are written with the plain names. In a file of the embedding server each name gets a prefix, because the
/// server may have `accounts` of its own.
struct SQLTableNames: Sendable {
  /// The prefix of each name.
  static let prefix = "passkey_"

  /// The names as the statements have them.
  static let plain = SQLTableNames(names: [])

  /// The names with the prefix.
  static let prefixed = SQLTableNames(of: .current)

  /// The plain names that get the prefix.
  let names: Set<Substring>

  private init(names: Set<Substring>) {
    self.names = names
  }

  /// Collects the names of all tables and indexes of a schema.
  private init(of schema: Schema) {
    var names: Set<Substring> = []
    for statement in schema.statements {
      var previous: Substring = ""
      for word in SQLWords(statement[...]) {
        if previous == "TABLE" || previous == "INDEX" { names.insert(word) }
        previous = word
      }
    }
    self.names = names
  }

  /// Returns a statement with the names of this database.
  func translated(_ statement: String) -> String {
    guard !names.isEmpty else { return statement }
    var result = ""
    var copied = statement.startIndex
    for word in SQLWords(statement[...]) where names.contains(word) {
      result += statement[copied..<word.startIndex] + Self.prefix
      copied = word.startIndex
    }
    return result + statement[copied...]
  }
}

/// The words of a statement that can be names: not those within quotes, and not those after a dot.
private struct SQLWords: Sequence, IteratorProtocol {
  private var rest: Substring

  init(_ statement: Substring) {
    rest = statement
  }

  mutating func next() -> Substring? {
    var previous: Character = " "
    while let character = rest.first {
      if character == "'" || character == "\"" {
        // A doubled quote within quotes ends one literal and begins the next, which changes nothing here.
        rest = rest.dropFirst().drop { $0 != character }.dropFirst()
      } else if Self.isPart(character) {
        let word = rest.prefix(while: Self.isPart)
        rest = rest[word.endIndex...]
        if previous != "." { return word }
      } else {
        rest = rest.dropFirst()
      }
      previous = character
    }
    return nil
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }
}
