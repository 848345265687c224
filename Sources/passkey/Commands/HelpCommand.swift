// SPDX-License-Identifier: Apache-2.0

/// `passkey help [COMMAND]`
enum HelpCommand: Command {
  static let specification = CommandSpecification(
    name: "help",
    summary: "tell more about a command",
    arguments: "[COMMAND]",
    discussion: [],
    positionalCount: 0...1,
    options: [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let name = arguments.positionals.first else {
      return try Output.write(HelpText.program(Passkey.commands.map { $0.specification }))
    }
    try Output.write(HelpText.command(try Passkey.command(named: name).specification))
  }
}
