// SPDX-License-Identifier: Apache-2.0

/// The words of a line, as a shell takes them apart: spaces part them, quotation marks and backslashes keep together.
///
/// Nothing else means anything: no variable, no pattern, no second command.
package enum ShellWords {
  package static func split(_ line: String) throws(CommandFailure) -> [String] {
    var words: [String] = []
    var word: String?
    var quotation: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quotation) {
      case (_, let open?) where character == open: quotation = nil
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { throw unfinished("a backslash") }
        // Between quotation marks it is itself, but before what it has to hide.
        if quotation != nil, next != "\"", next != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      case ("'", nil), ("\"", nil):
        quotation = character
        word = word ?? ""
      case (_, nil) where character.isWhitespace:
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quotation { throw unfinished("a \(quotation)") }
    return word.map { words + [$0] } ?? words
  }

  private static func unfinished(_ what: String) -> CommandFailure {
    .usage("the line ends behind \(what)", hint: "put what belongs together between ' and '")
  }
}
