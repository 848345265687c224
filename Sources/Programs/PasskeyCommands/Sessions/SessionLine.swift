// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats

/// The commands of `passkey session`, and the parser of its lines.
enum SessionLine {
  /// A parsed line.
  enum Request {
    case command(Command)
    case help(String)
    case exit
    case nothing
  }

  /// A command with its decoded options.
  struct Command: Sendable {
    /// Whether `--yes` also answers the questions of the vault's device.
    let isConfirmed: Bool
    let perform: @Sendable (LiveServer) async throws(CommandFailure) -> Void
  }

  static let commands: [any ServerCommand.Type] = [
    WhoAmICommand.self, RequestCommand.self, StepUpCommand.self, SessionsCommand.self, SignInCommand.self,
    SignOutCommand.self,
  ]

  /// The options that are fixed for the whole session and not accepted in a line.
  private static let settled: Set<String> = {
    let options = ServerOptions.options + DeviceChoice.options + TerminalClientInteraction.options
    return Set(options.map(\.name)).subtracting(inherited.map(\.name))
  }()

  /// The session options that also apply to each line.
  static let inherited = [Option.json, DeviceChoice.yes]

  /// Parses a line. A command receives those `inherited` options that it supports.
  static func read(_ line: String, inheriting inherited: [Option<Bool>] = []) throws(CommandFailure) -> Request {
    var words = try ShellWords.split(line)
    if words.first == "passkey" { words.removeFirst() }
    guard let first = words.first, !first.hasPrefix("#") else { return .nothing }
    switch first {
    case "exit", "quit":
      guard words.count == 1 else { throw .usage("\(first) takes no arguments", hint: "write \(first) alone") }
      return .exit
    case "help":
      guard words.count < 3 else { throw .usage("help takes one command", hint: "write help, or help whoami") }
      return .help(try help(words.dropFirst().first))
    default: break
    }
    let command = try named(first)
    let specification = reduced(command)
    var arguments = try ParsedArguments(Array(words.dropFirst()), for: specification, of: "passkey")
    guard !arguments.has(.help) else { return .help(HelpText.command(specification, of: "passkey")) }
    let added = inherited.filter { (option) in
      !arguments[option] && specification.options.contains { (supported) in supported.name == option.name }
    }
    if !added.isEmpty {
      arguments = try ParsedArguments(added.map(\.name) + words.dropFirst(), for: specification, of: "passkey")
    }
    try requireNothingOfStandardInput(arguments)
    return .command(try command.line(arguments))
  }

  /// Standard input is already used for the lines.
  private static func requireNothingOfStandardInput(_ arguments: ParsedArguments) throws(CommandFailure) {
    for option in [RequestArguments.bodyOption, RequestCommand.grantFile] {
      guard let value = arguments[option], value == "-" || value == "@-" else { continue }
      throw .usage(
        "\(option.name) cannot be \(value) in a session: standard input contains the commands",
        hint:
          "write the content to a file and use \(option.name) \(option.name == RequestArguments.bodyOption.name ? "@" : "")FILE"
      )
    }
  }

  /// Returns the completions of a partial line.
  static func completion(of beginning: String) -> Completion {
    var words = beginning.split(separator: " ").map(String.init)
    if beginning.hasSuffix(" ") || words.isEmpty { words.append("") }
    guard words.count > 1 else { return Completion(words[0], among: names) }
    if words[0] == "help", words.count == 2 { return Completion(words[1], among: names) }
    guard let command = commands.first(where: { $0.specification.word == words[0] }) else {
      return Completion("", among: [])
    }
    return Completion(words.dropFirst(), of: reduced(command))
  }

  private static var names: [Completion.Candidate] {
    commands.map { .init($0.specification.word, $0.specification.summary) }
      + [.init("help", "list the commands"), .init("exit", "leave")]
  }

  private static func named(_ word: String) throws(CommandFailure) -> any ServerCommand.Type {
    if let command = commands.first(where: { $0.specification.word == word }) { return command }
    let near = word.nearest(among: names.map(\.word))
    throw .usage(
      "unknown command \(word.quotedForTerminal)",
      hint: near.map { "did you mean \($0)?" } ?? "list the commands with help"
    )
  }

  private static func reduced(_ command: any ServerCommand.Type) -> CommandSpecification {
    var specification = command.specification
    specification.options.removeAll { (option) in settled.contains(option.name) }
    // The server is fixed, and the examples name one.
    specification.arguments = specification.arguments.replacing(" --server URL", with: "")
    specification.examples = []
    specification.rareOptions = []
    return specification
  }

  private static func help(_ word: String?) throws(CommandFailure) -> String {
    if let word, !["help", "exit"].contains(word) {
      return HelpText.command(reduced(try named(word)), of: "passkey")
    }
    return TextTable(rows: names.map { ["  " + $0.word, $0.meaning] }, width: nil).text
  }
}
