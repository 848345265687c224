// SPDX-License-Identifier: Apache-2.0

/// What a command is called, takes and means. Parsing and help are both made from it, so they cannot disagree.
struct CommandSpecification {
  /// What stands behind `passkey`: one word, or the group's and the command's own.
  let name: String

  /// One line, lower case, no full stop.
  let summary: String

  /// What may follow the name, for the first line of help.
  let arguments: String

  /// Paragraphs of help.
  let discussion: [String]

  /// How many arguments that are not options there may be.
  let positionalCount: ClosedRange<Int>

  let options: [OptionSpecification]

  let examples: [Example]

  /// The command's own word.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  struct Example {
    let command: String
    let meaning: String
  }
}

/// An option of a command: `--json`, or `--as KIND` when it takes a value.
struct OptionSpecification {
  let name: String
  var shortName: String?
  var value: Value?
  /// Whether it may be given more than once, each time with another value.
  var isRepeatable = false
  let help: String

  struct Value {
    /// What help calls the value.
    let name: String
    /// The values that there are, where they can be listed.
    var choices: [String] = []
  }

  static let help = Self(name: "--help", shortName: "-h", help: "show this help")
}
