// SPDX-License-Identifier: Apache-2.0

/// The program: finds the command, runs it, and says in one line what went wrong.
enum Passkey {
  static var entries: [CommandEntry] {
    [
      .command(InspectCommand.self), .command(VerifyCommand.self), .group(.metadata), .group(.vectors),
      .command(AuthenticatorCommand.self), .group(.keys),
      .command(HelpCommand.self),
    ]
  }

  static func run(_ arguments: [String]) -> ExitCode {
    do throws(CommandFailure) {
      try dispatch(arguments)
      return .done
    } catch {
      return report(error)
    }
  }

  private static func dispatch(_ arguments: [String]) throws(CommandFailure) {
    guard let first = arguments.first else {
      throw .usage("no command given", hint: "passkey --help lists the commands")
    }
    switch first {
    case "--help", "-h": try Output.write(HelpText.program(entries))
    case "--version": try Output.write("passkey \(Version.current)\n")
    case _ where first.hasPrefix("-"):
      let near = first.nearest(among: ["--help", "--version"])
      throw .usage(
        "unknown option \(first.escapedForTerminal)",
        hint: near.map { "did you mean \($0)?" } ?? "passkey --help lists the options and commands")
    default:
      let (entry, rest) = try CommandEntry.find(arguments[...], among: entries)
      switch entry {
      case .command(let command): try run(command, Array(rest))
      case .group(let group): try run(group, rest)
      }
    }
  }

  private static func run(_ command: any Command.Type, _ arguments: [String]) throws(CommandFailure) {
    let parsed = try ParsedArguments(arguments, for: command.specification)
    if parsed.has(OptionSpecification.help.name) {
      try Output.write(HelpText.command(command.specification))
    } else {
      try command.run(parsed)
    }
  }

  /// A group by itself: all that it can do is to tell what is in it.
  private static func run(_ group: CommandGroup, _ arguments: ArraySlice<String>) throws(CommandFailure) {
    let hint = "passkey \(group.name) --help lists the commands"
    switch arguments.first {
    case "--help", "-h": try Output.write(HelpText.group(group))
    case let option?: throw .usage("unknown option \(option.escapedForTerminal) for \(group.name)", hint: hint)
    case nil: throw .usage("\(group.name) needs a command", hint: hint)
    }
  }

  private static func report(_ failure: CommandFailure) -> ExitCode {
    let lines = ["passkey: error: \(failure.message)"] + (failure.hint.map { ["passkey: hint: \($0)"] } ?? [])
    // When standard error cannot be written either, there is nobody left to tell.
    try? FileDescriptor.standardError.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8))
    return failure.exitCode
  }
}
