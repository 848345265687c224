// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A command, or a group of commands, at the top level of a program.
package enum CommandEntry: Sendable {
  case command(any Command.Type)
  case group(CommandGroup)
  /// A command about the program itself, such as `help`.
  case about(any ProgramCommand.Type)
  /// A command that another program has.
  case forwarded(ForwardedCommand)

  /// The word that selects the entry.
  package var word: String {
    switch self {
    case .command(let command): command.specification.word
    case .group(let group): group.name
    case .about(let command): command.word
    case .forwarded(let command): command.word
    }
  }

  /// Returns the help text of the command or group, with every option.
  package func help(of program: String) -> String {
    if case .group(let group) = self { return HelpText.group(group, of: program, isFull: true) }
    return specification(of: program).map { HelpText.command($0, of: program, isFull: true) } ?? ""
  }

  package func summary(of program: String) -> String {
    switch self {
    case .group(let group): group.summary
    case .forwarded(let command): command.summary
    case .command, .about: specification(of: program)?.summary ?? ""
    }
  }

  /// Returns the specification of the command; `nil` for a group.
  package func specification(of program: String) -> CommandSpecification? {
    switch self {
    case .command(let command): command.specification
    case .group, .forwarded: nil
    case .about(let command): command.specification(of: program)
    }
  }

  /// Finds the entry for the first one or two of `words`. Returns it with the remaining words.
  ///
  /// - Throws: A usage error with the most similar command as the hint.
  package static func find(
    _ words: [String], among entries: [CommandEntry], of program: String
  ) throws(CommandFailure) -> (entry: CommandEntry, rest: ArraySlice<String>) {
    var rest = words[...]
    var found = try named(rest.popFirst() ?? "", among: entries, of: [program])
    if case .group(let group) = found, let next = rest.first, !next.hasPrefix("-") {
      let isMember = group.members.contains { $0.specification.word == next }
      if group.standardCommand != nil, !isMember { return (found, rest) }
      found = try named(next, among: group.members.map { .command($0) }, of: [program, group.name])
      rest = rest.dropFirst()
    }
    return (found, rest)
  }

  /// Words of other programs, with those that mean the same here.
  static let synonyms = [
    "login": ["sign-in"], "logout": ["sign-out"], "signup": ["register"], "sign-up": ["register"], "ls": ["list"],
    "rm": ["delete", "erase"], "remove": ["delete"], "start": ["serve"], "run": ["serve"],
    "version": [Option.version.name], "-v": [Option.version.name],
    "-V": [Option.version.name],
  ]

  private static func named(
    _ word: String, among entries: [CommandEntry], of words: [String]
  ) throws(CommandFailure) -> CommandEntry {
    if let entry = entries.first(where: { $0.word == word }) { return entry }
    let candidates = entries.map(\.word) + (words.count == 1 ? [Option.version.name] : [])
    let near = synonyms[word]?.first { candidates.contains($0) } ?? word.nearest(among: candidates)
    throw .usage(
      "unknown command \(word.quotedForTerminal)" + (words.count > 1 ? " for \(words[1])" : ""),
      hint: near.map { "did you mean \($0)?" } ?? "\(words.joined(separator: " ")) --help lists the commands")
  }
}

extension String {
  /// Returns the most similar candidate, or `nil` if none is similar.
  package func nearest(among candidates: [String]) -> String? {
    let ranked = candidates.map { (candidate: $0, distance: distance(to: $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    // Allows one edit for each three characters.
    return best.distance <= Swift.max(1, count / 3) ? best.candidate : nil
  }

  /// Returns the Levenshtein distance.
  private func distance(to other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
