// SPDX-License-Identifier: Apache-2.0

/// The name, arguments and options of a command. The parser and the help text both use it, so they always agree.
package struct CommandSpecification: Sendable {
  /// The words after the program name: the command, or the group and the command.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// The arguments in the usage line of the help.
  package var arguments: String

  /// The paragraphs of the help.
  package let discussion: [String]

  /// The allowed number of arguments that are not options.
  package let positionalCount: ClosedRange<Int>

  package var options: [any OptionSpecification]

  /// The names of the options that `--help` leaves out. If there are any, it fits one screen.
  package var rareOptions: Set<String>

  package var examples: [Example]

  /// Words of `arguments` in capitals that are literal text rather than placeholders.
  package let literals: [String]

  package init(
    name: String, summary: String, arguments: String, discussion: [String], positionalCount: ClosedRange<Int>,
    options: [any OptionSpecification], rareOptions: [any OptionSpecification] = [],
    examples: [Example], literals: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.discussion = discussion
    self.positionalCount = positionalCount
    self.options = options
    self.rareOptions = Set(rareOptions.map(\.name))
    self.examples = examples
    self.literals = literals
  }

  /// Whether `--json` prints a stream of lines.
  var printsLines: Bool { options.contains { $0.printsLines } }

  /// The words of `arguments` that are typed as they stand, such as `set` in `set|change`.
  var literalArguments: [String] {
    arguments.split { !$0.isLetter && $0 != "-" }.map(String.init).filter { (word) in
      literals.contains(word) || word != word.uppercased()
    }
  }

  /// The placeholders of the required arguments, in their order.
  var placeholders: [String] {
    var words = arguments.split(separator: " ").map(String.init)[...]
    var found: [String] = []
    while let word = words.popFirst() {
      // The next word is the value of an option.
      if word.hasPrefix("--") { words = words.dropFirst() } else if !word.hasPrefix("[") { found.append(word) }
    }
    return found
  }

  /// The failure of a command line with only `count` of the required arguments.
  package func missing(after count: Int, of program: String) -> CommandFailure {
    let name = placeholders.dropFirst(count).first.map { "the argument \($0)" } ?? "an argument"
    return .usage("\(self.name): \(name) is missing", hint: "usage: \(program) \(self.name) \(arguments)")
  }

  /// The last word of the name.
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
