// SPDX-License-Identifier: Apache-2.0

/// `passkey help [COMMAND…]`
enum HelpCommand: Command {
  static let specification = CommandSpecification(
    name: "help",
    summary: "tell more about a command",
    arguments: "[COMMAND…]",
    discussion: [],
    positionalCount: 0...2,
    options: [.help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments.positionals.isEmpty else { return try Output.write(HelpText.program(Passkey.entries)) }
    let (entry, rest) = try CommandEntry.find(arguments.positionals[...], among: Passkey.entries)
    guard rest.isEmpty else {
      throw .usage("\(entry.word) is one command", hint: "passkey help \(entry.word) tells about it")
    }
    try Output.write(entry.help)
  }
}
