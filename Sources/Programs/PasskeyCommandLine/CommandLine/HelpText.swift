// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// `help [COMMAND…]`, which every program has.
enum HelpCommand: ProgramCommand {
  static let word = "help"
  static let takesCommands = true

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "show the help of a command",
      arguments: "[COMMAND…]",
      discussion: [],
      positionalCount: 0...Int.max,
      options: [.help],
      examples: [])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    guard !arguments.positionals.isEmpty else { return try Output.write(HelpText.program(program)) }
    let (entry, rest) = try CommandEntry.find(arguments.positionals, among: program.entries, of: program.name)
    if case .forwarded(let command) = entry { try command.run([word] + arguments.positionals) }
    // Words after the command's name may be its arguments, as in "help keys pin set".
    let known = entry.specification(of: program.name)?.literalArguments ?? []
    if let stray = rest.first(where: { !known.contains($0) }) {
      let name = arguments.positionals.dropLast(rest.count).joined(separator: " ")
      throw .usage(
        "\(name) has no command \(stray.quotedForTerminal)", hint: "\(program.name) help \(name) shows its help")
    }
    try Output.write(entry.help(of: program.name))
  }
}

/// Formats the help of the program, its groups and its commands from their specifications.
package enum HelpText {
  package static func program(_ program: Program) -> String {
    """
    \(program.executable) \(Version.current): \(program.summary)

    usage: \(program.executable) \(program.standardCommand == nil ? "COMMAND" : "[COMMAND]") [ARGUMENT…]

    \(commands(of: program))

    options:
    \(list([(term: "-h, --help", meaning: "show this help"), (term: "    --version", meaning: "show the version")]))

    \(program.executable) help COMMAND shows the help of a command

    """
  }

  private static func commands(of program: Program) -> String {
    let width = program.entries.map(\.word.count).max() ?? 0
    return program.sections.map { (section) in
      "\(section.title):\n"
        + list(section.entries.map { (term: $0.word, meaning: $0.summary(of: program.name)) }, width: width)
    }.joined(separator: "\n\n")
  }

  package static func group(_ group: CommandGroup, of program: String, isFull: Bool = false) -> String {
    let members = group.members.map { (term: $0.specification.word, meaning: $0.specification.summary) }
    let commands = "commands:\n" + list(members)
    let hint = "\(program) help \(group.name) COMMAND shows the help of a command"
    if let command = group.standardCommand?.specification {
      return Self.command(command, of: program, isFull: isFull, below: [commands, hint])
    }
    var sections = [
      "\(program) \(group.name): \(group.summary)\n\nusage: \(program) \(group.name) COMMAND [ARGUMENT…]"
    ]
    sections += group.discussion.map { wrapped($0, indent: 0) }
    sections.append(commands)
    sections.append("options:\n" + list([(term: "-h, --help", meaning: "show this help")]))
    sections.append(hint)
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Returns the help of a command, with `sections` below it. Unless it is asked for in full, the help of a command with
  /// rare options fits a screen.
  package static func command(
    _ command: CommandSpecification, of program: String, isFull: Bool = false, below sections: [String] = []
  ) -> String {
    guard !isFull, !command.rareOptions.isEmpty else {
      return text(command, program, command.discussion, command.options, command.examples, sections)
    }
    let options = command.options.filter { !command.rareOptions.contains($0.name) }
    let note = "\(program) \(command.name) --help all shows every option and exit code"
    let texts = [2, 1, 0].map { (count) in
      text(command, program, [], options, Array(command.examples.prefix(count)), [note] + sections)
    }
    return texts.first { (text) in text.count { $0.isNewline } <= screenLineCount } ?? texts[texts.count - 1]
  }

  // 24  [the lines of a terminal of the usual size]
  private static let screenLineCount = 24

  /// Whether the arguments ask for the help in full: `--help all`.
  static func isFull(_ arguments: some Collection<String>) -> Bool {
    zip(arguments, arguments.dropFirst()).contains { ["--help", "-h"].contains($0) && $1 == "all" }
  }

  private static func text(
    _ command: CommandSpecification, _ program: String, _ discussion: [String], _ options: [any OptionSpecification],
    _ examples: [CommandSpecification.Example], _ below: [String]
  ) -> String {
    var sections = [
      "\(program) \(command.name): \(command.summary)\n\nusage: \(program) \(command.name) \(command.arguments)"
    ]
    sections += discussion.map { wrapped($0, indent: 0) }
    sections.append("options:\n" + list(options.map { (term: term(for: $0), meaning: meaning(of: $0)) }))
    if !examples.isEmpty {
      sections.append("examples:\n" + examples.map { "  \($0.command)\n      \($0.meaning)" }.joined(separator: "\n"))
    }
    return (sections + below).joined(separator: "\n\n") + "\n"
  }

  static func term(for option: any OptionSpecification) -> String {
    (option.shortName.map { "\($0), " } ?? "    ") + option.name + (option.placeholder.map { " \($0)" } ?? "")
  }

  static func meaning(of option: any OptionSpecification) -> String {
    let help = option.help + (option.isRepeatable ? "; may be given more than once" : "")
    return option.choices.isEmpty ? help : help + ": " + option.choices.joined(separator: ", ")
  }

  private static func list(_ rows: [(term: String, meaning: String)], width: Int? = nil) -> String {
    let width = width ?? rows.map(\.term.count).max() ?? 0
    return rows.map { row in
      let padding = String(repeating: " ", count: width - row.term.count + 2)
      return "  " + row.term + padding + wrapped(row.meaning, indent: width + 4)
    }.joined(separator: "\n")
  }

  /// Wraps text at 80 columns and indents all lines but the first.
  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if indent + line.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
