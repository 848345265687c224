// SPDX-License-Identifier: Apache-2.0

/// A line being edited and its cursor.
package struct EditedLine: Equatable, Sendable {
  package private(set) var characters: [Character] = []

  /// The number of characters before the cursor.
  package private(set) var cursor = 0

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }

  /// The text before the cursor.
  package var beginning: String { String(characters.prefix(cursor)) }

  /// Applies an editing key. Ignores keys that do not edit the line.
  package mutating func apply(_ key: Key) {
    switch key {
    case .text(let character): insert(character)
    case .backspace: erase(from: cursor - 1, to: cursor)
    case .delete: erase(from: cursor, to: cursor + 1)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .wordLeft: cursor = wordStart
    case .wordRight: cursor = wordEnd
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .eraseToStart: erase(from: 0, to: cursor)
    case .eraseToEnd: erase(from: cursor, to: characters.count)
    case .eraseWord: erase(from: wordStart, to: cursor)
    case .enter, .tab, .up, .down, .clearScreen, .interrupt, .endOfInput: break
    }
  }

  /// Inserts text at the cursor.
  package mutating func insert(_ text: String) {
    for character in text { insert(character) }
  }

  /// A combining mark, such as an accent, joins the character before it.
  private mutating func insert(_ character: Character) {
    guard characters.count < Self.maximumCount else { return }
    if cursor > 0 {
      let joined = String(characters[cursor - 1]) + String(character)
      if joined.count == 1, let one = joined.first {
        characters[cursor - 1] = one
        return
      }
    }
    characters.insert(character, at: cursor)
    cursor += 1
  }

  private mutating func erase(from start: Int, to end: Int) {
    let (start, end) = (max(0, start), min(characters.count, end))
    guard start < end else { return }
    characters.removeSubrange(start..<end)
    cursor = start
  }

  private var wordStart: Int {
    var place = cursor
    while place > 0, characters[place - 1].isWhitespace { place -= 1 }
    while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
    return place
  }

  private var wordEnd: Int {
    var place = cursor
    while place < characters.count, characters[place].isWhitespace { place += 1 }
    while place < characters.count, !characters[place].isWhitespace { place += 1 }
    return place
  }

  // 64 Ki characters [more than a person types; larger bodies are read from files]
  private static let maximumCount = 1 << 16
}
