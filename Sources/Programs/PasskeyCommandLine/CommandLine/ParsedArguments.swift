// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The parsed options and positional arguments of a command.
package struct ParsedArguments: Equatable, Sendable {
  package private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// Whether the option was given.
  package func has(_ option: some OptionSpecification) -> Bool {
    values[option.name] != nil
  }

  /// Whether `--json` was given.
  package var asksForJSON: Bool { has(.json) }

  /// Returns the texts of an option, in the given order. That of an option without a value is empty.
  package func texts(of option: some OptionSpecification) -> [String] {
    values[option.name] ?? []
  }

  /// Parses `arguments` by the command's specification.
  ///
  /// Options may occur anywhere, `--name=value` equals `--name value`, and everything after `--` is positional. So is an
  /// identifier that begins with `-`.
  ///
  /// - Throws: A usage error.
  package init(_ arguments: [String], for command: CommandSpecification, of program: String) throws(CommandFailure) {
    var rest = arguments[...]
    var optionsHaveEnded = false
    while let argument = rest.popFirst() {
      if argument == "--", !optionsHaveEnded {
        optionsHaveEnded = true
      } else if argument.hasPrefix("-"), argument != "-", !optionsHaveEnded, !Self.isIdentifier(argument) {
        try readOption(argument, &rest, of: command, program)
      } else {
        positionals.append(argument)
      }
    }
    // Checks no further if `--help` is present, since the command line may be incomplete.
    guard !has(.help) else { return }
    try checkCount(for: command, program)
    for option in command.options { try option.check(texts(of: option)) }
  }

  /// Whether `argument` is base64url of an identifier (one in 64 begins with `-`) and no name of an option, which has no
  /// capitals.
  private static func isIdentifier(_ argument: String) -> Bool {
    argument.utf8.count >= 22 && argument.contains(where: \.isUppercase) && (try? Base64URL.decode(argument)) != nil
  }

  private mutating func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, of command: CommandSpecification, _ program: String
  ) throws(CommandFailure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let given = parts.first ?? argument
    guard let option = command.options.first(where: { $0.name == given || $0.shortName == given }) else {
      throw .usage(
        "unknown option \(given.escapedForTerminal) for \(command.name)",
        hint: Self.hint(for: given, of: command, program))
    }
    guard option.isRepeatable || !has(option) else {
      throw .usage("\(option.name) is given twice", hint: "give \(option.name) once")
    }
    guard let placeholder = option.placeholder else {
      guard parts.count == 1 else {
        let hint = option.name == "--help" ? "write --help, or --help all" : "write \(option.name) alone"
        throw .usage("\(option.name) takes no value", hint: hint)
      }
      values[option.name] = [""]
      return
    }
    let hint =
      option.choices.isEmpty
      ? "write \(option.name) \(placeholder)" : "it can be \(option.choices.joined(separator: ", "))"
    guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw .usage("\(option.name) needs a value", hint: hint)
    }
    guard option.choices.isEmpty || option.choices.contains(text) else {
      throw .usage("\(option.name) cannot be \(text.quotedForTerminal)", hint: hint)
    }
    values[option.name, default: []].append(text)
  }

  private func checkCount(for command: CommandSpecification, _ program: String) throws(CommandFailure) {
    guard !command.positionalCount.contains(positionals.count) else { return }
    guard positionals.count > command.positionalCount.upperBound else {
      throw command.missing(after: positionals.count, of: program)
    }
    // The arguments are not quoted: one of them may be a passphrase or a PIN.
    throw .usage(
      "\(command.name): too many arguments (\(positionals.count); at most \(command.positionalCount.upperBound))",
      hint: "usage: \(program) \(command.name) \(command.arguments)")
  }

  private static func hint(for given: String, of command: CommandSpecification, _ program: String) -> String {
    if let near = given.nearest(among: command.options.map(\.name)) { return "did you mean \(near)?" }
    return "\(program) help \(command.name) lists the options"
  }
}
