// SPDX-License-Identifier: Apache-2.0

/// What a word of the command line names: a command, or a group of them that the next word chooses from.
enum CommandEntry: Sendable {
  case command(any Command.Type)
  case group(CommandGroup)

  /// The word.
  var word: String {
    switch self {
    case .command(let command): command.specification.word
    case .group(let group): group.name
    }
  }

  var summary: String {
    switch self {
    case .command(let command): command.specification.summary
    case .group(let group): group.summary
    }
  }

  /// The help of the command or of the group.
  var help: String {
    switch self {
    case .command(let command): HelpText.command(command.specification)
    case .group(let group): HelpText.group(group)
    }
  }

  /// The one that `words` name, beginning with the first; how many of them it takes depends on what they name.
  static func find(
    _ words: ArraySlice<String>, among entries: [CommandEntry]
  ) throws(CommandFailure) -> (entry: CommandEntry, rest: ArraySlice<String>) {
    var rest = words
    var found = try named(rest.popFirst() ?? "", among: entries)
    if case .group(let group) = found, let next = rest.first, !next.hasPrefix("-") {
      found = try named(next, among: group.members.map { .command($0) }, of: group)
      rest = rest.dropFirst()
    }
    return (found, rest)
  }

  private static func named(
    _ word: String, among entries: [CommandEntry], of group: CommandGroup? = nil
  ) throws(CommandFailure) -> CommandEntry {
    if let entry = entries.first(where: { $0.word == word }) { return entry }
    let near = word.nearest(among: entries.map(\.word))
    let help = group.map { "passkey \($0.name) --help" } ?? "passkey --help"
    throw .usage(
      "unknown command \(word.quotedForTerminal)" + (group.map { " for \($0.name)" } ?? ""),
      hint: near.map { "did you mean \($0)?" } ?? "\(help) lists the commands")
  }
}
