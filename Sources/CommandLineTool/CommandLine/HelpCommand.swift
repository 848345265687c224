// SPDX-License-Identifier: Apache-2.0

/// `help [COMMAND…]`, which every program has.
enum HelpCommand: ProgramCommand {
  static let word = "help"
  static let takesCommands = true

  static func specification(of program: String) -> CommandSpecification {
    CommandSpecification(
      name: word,
      summary: "tell more about a command",
      arguments: "[COMMAND…]",
      discussion: [],
      positionalCount: 0...2,
      options: [.help],
      examples: [])
  }

  static func run(_ arguments: ParsedArguments, of program: Program) throws(CommandFailure) {
    guard !arguments.positionals.isEmpty else { return try Output.write(HelpText.program(program)) }
    let (entry, rest) = try CommandEntry.find(arguments.positionals[...], among: program.entries, of: program.name)
    guard rest.isEmpty else {
      throw .usage("\(entry.word) is one command", hint: "\(program.name) help \(entry.word) tells about it")
    }
    try Output.write(entry.help(of: program.name))
  }
}
