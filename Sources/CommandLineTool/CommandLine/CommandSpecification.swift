// SPDX-License-Identifier: Apache-2.0

/// What a command is called, takes and means. Parsing and help are both made from it, so they cannot disagree.
package struct CommandSpecification: Sendable {
  /// What stands behind the name of the program: one word, or the group's and the command's own.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// What may follow the name, for the first line of help.
  package var arguments: String

  /// Paragraphs of help.
  package let discussion: [String]

  /// How many arguments that are not options there may be.
  package let positionalCount: ClosedRange<Int>

  package var options: [OptionSpecification]

  package var examples: [Example]

  /// Words of `arguments` that are typed as they stand, though they are in capitals.
  package let literals: [String]

  package init(
    name: String, summary: String, arguments: String, discussion: [String], positionalCount: ClosedRange<Int>,
    options: [OptionSpecification], examples: [Example], literals: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.discussion = discussion
    self.positionalCount = positionalCount
    self.options = options
    self.examples = examples
    self.literals = literals
  }

  /// The command's own word.
  package var word: String { name.split(separator: " ").last.map(String.init) ?? name }

  package struct Example: Sendable {
    let command: String
    let meaning: String

    package init(command: String, meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }
}

/// An option of a command: `--json`, or `--as KIND` when it takes a value.
package struct OptionSpecification: Sendable {
  package let name: String
  package var shortName: String?
  package var value: Value?
  /// Whether it may be given more than once, each time with another value.
  package var isRepeatable = false
  package let help: String

  package struct Value: Sendable {
    /// What help calls the value.
    let name: String
    /// The values that there are, where they can be listed.
    var choices: [String] = []

    package init(name: String, choices: [String] = []) {
      self.name = name
      self.choices = choices
    }
  }

  package init(
    name: String, shortName: String? = nil, value: Value? = nil, isRepeatable: Bool = false, help: String
  ) {
    self.name = name
    self.shortName = shortName
    self.value = value
    self.isRepeatable = isRepeatable
    self.help = help
  }

  package static let help = Self(name: "--help", shortName: "-h", help: "show this help")

  /// The program's own option, which stands before any command.
  static let version = Self(name: "--version", help: "show the version")
}
