// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine

/// A setting of the server. An option takes precedence over the environment, and the environment over the file.
struct Setting: Hashable, Sendable {
  /// The name, which is the member in the file and, with two leading hyphens, the option.
  let name: String

  /// The placeholder of the value in help.
  let valueName: String

  /// The default in the syntax of the setting, or nil for none.
  var standard: String?

  /// The allowed values, if they form a fixed list.
  var choices: [String] = []

  /// Whether it takes several values: a repeated option, commas in the environment, or an array in the file.
  var isList = false

  /// A second name in the environment, shared with other programs.
  var otherVariable: String?

  /// The help text: one line, lower case, no full stop.
  let help: String

  var option: String { "--\(name)" }

  /// The names of its environment variables, by precedence.
  var variables: [String] {
    let own = "PASSKEY_" + String(name.map { $0 == "-" ? "_" : $0 }).uppercased()
    return [own] + (otherVariable.map { [$0] } ?? [])
  }

  var specification: Option<[String]> {
    let standard = standard.map { " (\($0))" } ?? ""
    return Option(option, valueName, choices: choices, isList: isList, help: help + standard)
  }
}
