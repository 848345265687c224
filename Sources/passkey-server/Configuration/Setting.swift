// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// One thing that can be chosen: by an option, in the environment, or in a file. Where there is more than one, the first
/// of these counts.
struct Setting: Hashable, Sendable {
  /// The name, which is the file's member and, behind two hyphens, the option.
  let name: String

  /// What help calls the value.
  let valueName: String

  /// What the value is where nothing is chosen, as it would be written; nil for nothing.
  var standard: String?

  /// The values that there are, where they can be listed.
  var choices: [String] = []

  /// Whether there may be more than one: the option is repeated, the environment has commas, the file a list.
  var isList = false

  /// A name by which other programs know it in the environment.
  var otherVariable: String?

  /// One line, lower case, no full stop.
  let help: String

  var option: String { "--\(name)" }

  /// Where it stands in the environment, the best name first.
  var variables: [String] {
    let own = "PASSKEY_" + String(name.map { $0 == "-" ? "_" : $0 }).uppercased()
    return [own] + (otherVariable.map { [$0] } ?? [])
  }

  var specification: OptionSpecification {
    var help = help
    if let standard { help += " (\(standard))" }
    return OptionSpecification(
      name: option, value: .init(name: valueName, choices: choices), isRepeatable: isList, help: help)
  }
}
