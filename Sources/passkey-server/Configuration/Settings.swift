// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// What was chosen, and where.
struct Settings: Sendable {
  /// A value as it was written, and where that was.
  struct Choice: Hashable, Sendable {
    let text: String

    /// How a message names it: `--origin`, `ORIGIN`, or the file's member.
    let place: String
  }

  private var choices: [Setting: [Choice]] = [:]

  /// Variables that look like settings and are none, each with the one that may be meant.
  let slips: [(variable: String, meant: String)]

  /// Reads the options, then the environment, then the file that either of them names.
  init(
    _ arguments: ParsedArguments, environment: [String: String],
    read: (String) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) {
    slips = Self.slips(environment)
    let path = arguments[Setting.configuration.option] ?? environment[Setting.configuration.variables[0]]
    var file: ConfigurationFile?
    if let path { file = try ConfigurationFile(path: path, try read(path)) }
    for setting in Setting.all {
      choices[setting] =
        Self.options(setting, arguments) ?? Self.variable(setting, environment) ?? file?.choices[setting]
    }
  }

  /// Where it was chosen, and what; the standard value where it was not.
  func choice(_ setting: Setting) -> Choice? {
    list(setting).first
  }

  /// All that were chosen, of a setting that is a list.
  func list(_ setting: Setting) -> [Choice] {
    choices[setting] ?? setting.standard.map { [Choice(text: $0, place: setting.option)] } ?? []
  }

  private static func options(_ setting: Setting, _ arguments: ParsedArguments) -> [Choice]? {
    guard arguments.has(setting.option) else { return nil }
    return arguments.all(setting.option).map { Choice(text: $0, place: setting.option) }
  }

  /// What `passkey` alone reads, which a shell may have for it.
  static let commandLineVariables: Set = [
    "PASSKEY_AGENT", "PASSKEY_CACERT", "PASSKEY_CONNECT_TO", "PASSKEY_PASSPHRASE", "PASSKEY_PIN", "PASSKEY_SERVER",
    "PASSKEY_USER", "PASSKEY_VAULT",
  ]

  /// Others have variables of the same beginning; a slip is near to one of ours.
  private static func slips(_ environment: [String: String]) -> [(variable: String, meant: String)] {
    let known = ([Setting.configuration] + Setting.all).flatMap(\.variables)
    return environment.keys.sorted().compactMap { (variable) in
      guard variable.hasPrefix("PASSKEY_"), !known.contains(variable), !commandLineVariables.contains(variable) else {
        return nil
      }
      return variable.nearest(among: known).map { (variable, $0) }
    }
  }

  /// A variable that is there and empty says nothing: that is how a shell or a unit file takes one away.
  private static func variable(_ setting: Setting, _ environment: [String: String]) -> [Choice]? {
    for variable in setting.variables {
      guard let text = environment[variable], !text.isEmpty else { continue }
      let values = setting.isList ? text.split(separator: ",").map { String($0).trimmed } : [text]
      let named = values.filter { !$0.isEmpty }
      // Commas alone name nothing, and were not meant to.
      return (named.isEmpty ? [""] : named).map { Choice(text: $0, place: variable) }
    }
    return nil
  }
}

extension String {
  /// Without spaces at either end.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
