// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A command-line program: finds the command, runs it, and reports its failure.
package struct Program: Sendable {
  /// The name of the program.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// The name of the executable, which differs for a program that has commands of another one.
  package let executable: String

  /// The commands, in the order of the help; commands about the program itself are last.
  package let sections: [Section]

  /// Commands for one kind of task.
  package struct Section: Sendable {
    /// A few words, lower case.
    package let title: String
    package let entries: [CommandEntry]

    package init(_ title: String, _ entries: [CommandEntry]) {
      self.title = title
      self.entries = entries
    }
  }

  package var entries: [CommandEntry] { sections.flatMap(\.entries) }

  /// Commands of this program that another program runs if they have certain options.
  private let extensions: [CommandExtension]

  /// The command to run if none is given; `nil` for most programs.
  package let standardCommand: (any Command.Type)?

  package init(
    name: String, executable: String? = nil, summary: String, sections: [Section],
    extensions: [CommandExtension] = [], standardCommand: (any Command.Type)? = nil
  ) {
    self.name = name
    self.executable = executable ?? name
    self.summary = summary
    self.extensions = extensions
    let about: [CommandEntry] = [.about(CompletionsCommand.self), .about(ManualCommand.self), .about(HelpCommand.self)]
    self.sections = sections + [Section("this program", about)]
    self.standardCommand = standardCommand
  }

  /// Runs the command that the words of the command line select. The first word is the program's name.
  ///
  /// Swift reads the words from /proc. Without /proc the list is empty, and the command and its options are unknown.
  package func run(commandLine words: [String]) -> ExitCode {
    guard !words.isEmpty else {
      let error = CommandFailure.inputOutput("the command line cannot be read", hint: "mount /proc")
      Diagnostics(program: name).report(error)
      return error.exitCode
    }
    return run(Array(words.dropFirst()))
  }

  /// Runs the command that the arguments select, reports failures, and returns the exit code.
  ///
  /// Failures go to standard error. With `--json` they also go to standard output as an object, unless the command has
  /// printed its own object already.
  ///
  /// No other process of the user may read this one's memory, and no command leaves a core file: any command may hold a
  /// passphrase, a token or a private key.
  package func run(_ arguments: [String]) -> ExitCode {
    StandardStreams.reserve()
    ProcessMemory.protect()
    var command: CommandSpecification?
    do throws(CommandFailure) {
      let invocation = try invocation(arguments)
      command = invocation.specification
      try invocation.run()
      return .done
    } catch {
      Interruption.endLine()
      let asksForJSON = arguments.prefix { $0 != "--" }.contains(Option.json.name)
      if asksForJSON, command?.printsLines == true || !Output.isBegun { try? Output.write(error.json) }
      Diagnostics(program: name).report(error)
      return error.exitCode
    }
  }

  /// A command with its arguments.
  private struct Invocation {
    /// The command; `nil` for the options of the program.
    var specification: CommandSpecification?
    let run: () throws(CommandFailure) -> Void
  }

  private func invocation(_ arguments: [String]) throws(CommandFailure) -> Invocation {
    switch (arguments.first, standardCommand) {
    case ("--help", _), ("-h", _): return invocation(of: HelpCommand.self, arguments.dropFirst())
    case ("--version", _):
      guard arguments.count == 1 else {
        throw .usage("--version takes no arguments", hint: "write \(name) --version alone")
      }
      return Invocation { () throws(CommandFailure) in try Output.write("\(executable) \(Version.current)\n") }
    case (let first, let command?) where first?.hasPrefix("-") ?? true: return invocation(of: command, arguments)
    case (nil, _): throw .usage("no command given", hint: "\(name) --help lists the commands")
    case (let first?, _) where first.hasPrefix("-"):
      let near = CommandEntry.synonyms[first]?.first ?? first.nearest(among: ["--help", "--version"])
      throw .usage(
        "unknown option \(first.escapedForTerminal)",
        hint: near.map { "did you mean \($0)?" } ?? "\(name) --help lists the options and commands")
    default:
      if let other = extensions.first(where: { $0.takes(arguments) }) {
        return Invocation { () throws(CommandFailure) in
          try other.command.run([other.command.word] + arguments.dropFirst())
        }
      }
      let (entry, rest) = try CommandEntry.find(arguments, among: entries, of: name)
      switch entry {
      case .command(let command): return invocation(of: command, Array(rest))
      case .group(let group):
        if let command = group.standardCommand, rest.first != "--help", rest.first != "-h" {
          return invocation(of: command, Array(rest))
        }
        return Invocation { () throws(CommandFailure) in try run(group, rest) }
      case .about(let command): return invocation(of: command, rest)
      case .forwarded(let command):
        return Invocation { () throws(CommandFailure) in try command.run(arguments) }
      }
    }
  }

  private func invocation(of command: any ProgramCommand.Type, _ arguments: ArraySlice<String>) -> Invocation {
    invocation(of: command.specification(of: name), Array(arguments)) { (parsed) throws(CommandFailure) in
      try command.run(parsed, of: self)
    }
  }

  private func invocation<Selected: Command>(of command: Selected.Type, _ arguments: [String]) -> Invocation {
    invocation(of: command.specification, arguments) { (parsed) throws(CommandFailure) in
      try command.run(Selected.Options(parsed))
    }
  }

  private func invocation(
    of specification: CommandSpecification, _ arguments: [String],
    _ command: @escaping (ParsedArguments) throws(CommandFailure) -> Void
  ) -> Invocation {
    Invocation(specification: specification) { () throws(CommandFailure) in
      let parsed = try ParsedArguments(arguments, for: specification, of: name)
      if parsed.has(.help) {
        try Output.write(HelpText.command(specification, of: name, isFull: HelpText.isFull(arguments)))
      } else {
        try command(parsed)
      }
    }
  }

  /// Handles a group without a command, which can only show its help.
  private func run(_ group: CommandGroup, _ arguments: ArraySlice<String>) throws(CommandFailure) {
    let hint = "\(name) \(group.name) --help lists the commands"
    switch arguments.first {
    case "--help", "-h": try Output.write(HelpText.group(group, of: name, isFull: HelpText.isFull(arguments)))
    case let option?: throw .usage("unknown option \(option.escapedForTerminal) for \(group.name)", hint: hint)
    case nil: throw .usage("\(group.name) needs a command", hint: hint)
    }
  }
}

/// The version of the programs.
package enum Version {
  package static let current = "0.1.0"
}
