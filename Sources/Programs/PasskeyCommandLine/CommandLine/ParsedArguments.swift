// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The parsed options and positional arguments of a command.
package struct ParsedArguments: Equatable, Sendable {
  package private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// Whether the option was given.
  package func has(_ name: String) -> Bool {
    values[name] != nil
  }

  /// The value of an option; `nil` if the option is absent.
  package subscript(name: String) -> String? { values[name]?.first }

  /// Whether `--json` was given.
  package var asksForJSON: Bool { has(OptionSpecification.json.name) }

  /// Returns all values of a repeatable option, in the given order.
  package func all(_ name: String) -> [String] {
    values[name] ?? []
  }

  /// Parses `arguments` by the command's specification.
  ///
  /// Options may occur anywhere, `--name=value` equals `--name value`, and everything after `--` is positional.
  ///
  /// - Throws: A usage error.
  package init(_ arguments: [String], for command: CommandSpecification, of program: String) throws(CommandFailure) {
    var rest = arguments[...]
    var optionsHaveEnded = false
    while let argument = rest.popFirst() {
      if argument == "--", !optionsHaveEnded {
        optionsHaveEnded = true
      } else if argument.hasPrefix("-"), argument != "-", !optionsHaveEnded {
        try readOption(argument, &rest, of: command, program)
      } else {
        positionals.append(argument)
      }
    }
    // Does not check the number of arguments if `--help` is present, since the command line may be incomplete.
    if !has(OptionSpecification.help.name) { try checkCount(for: command, program) }
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
    guard option.isRepeatable || !has(option.name) else {
      throw .usage("\(option.name) is given twice", hint: "give \(option.name) once")
    }
    guard let value = option.value else {
      guard parts.count == 1 else {
        throw .usage("\(option.name) takes no value", hint: "write \(option.name) alone")
      }
      values[option.name] = [""]
      return
    }
    guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw .usage("\(option.name) needs a value", hint: value.hint(for: option))
    }
    guard value.choices.isEmpty || value.choices.contains(text) else {
      throw .usage("\(option.name) cannot be \(text.quotedForTerminal)", hint: value.hint(for: option))
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

extension OptionSpecification.Value {
  fileprivate func hint(for option: OptionSpecification) -> String {
    choices.isEmpty ? "write \(option.name) \(name)" : "it can be \(choices.joined(separator: ", "))"
  }
}
