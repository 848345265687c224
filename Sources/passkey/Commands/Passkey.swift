// SPDX-License-Identifier: Apache-2.0

/// The program: finds the command, runs it, and says in one line what went wrong.
enum Passkey {
  static var commands: [any Command.Type] { [InspectCommand.self, VerifyCommand.self, HelpCommand.self] }

  static func run(_ arguments: [String]) -> ExitCode {
    do throws(CommandFailure) {
      try dispatch(arguments)
      return .done
    } catch {
      return report(error)
    }
  }

  private static func dispatch(_ arguments: [String]) throws(CommandFailure) {
    guard let name = arguments.first else {
      throw .usage("no command given", hint: "passkey --help lists the commands")
    }
    switch name {
    case "--help", "-h": try Output.write(HelpText.program(commands.map { $0.specification }))
    case "--version": try Output.write("passkey \(Version.current)\n")
    case _ where name.hasPrefix("-"):
      let near = name.nearest(among: ["--help", "--version"])
      throw .usage(
        "unknown option \(name.escapedForTerminal)",
        hint: near.map { "did you mean \($0)?" } ?? "passkey --help lists the options and commands")
    default: try run(try command(named: name), Array(arguments.dropFirst()))
    }
  }

  static func command(named name: String) throws(CommandFailure) -> any Command.Type {
    if let command = commands.first(where: { $0.specification.name == name }) { return command }
    let near = name.nearest(among: commands.map { $0.specification.name })
    throw .usage(
      "unknown command \(name.quotedForTerminal)",
      hint: near.map { "did you mean \($0)?" } ?? "passkey --help lists the commands")
  }

  private static func run(_ command: any Command.Type, _ arguments: [String]) throws(CommandFailure) {
    let parsed = try ParsedArguments(arguments, for: command.specification)
    if parsed.has(OptionSpecification.help.name) {
      try Output.write(HelpText.command(command.specification))
    } else {
      try command.run(parsed)
    }
  }

  private static func report(_ failure: CommandFailure) -> ExitCode {
    let lines = ["passkey: error: \(failure.message)"] + (failure.hint.map { ["passkey: hint: \($0)"] } ?? [])
    // When standard error cannot be written either, there is nobody left to tell.
    try? FileDescriptor.standardError.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8))
    return failure.exitCode
  }
}

/// One command of the program.
protocol Command {
  static var specification: CommandSpecification { get }
  static func run(_ arguments: ParsedArguments) throws(CommandFailure)
}
