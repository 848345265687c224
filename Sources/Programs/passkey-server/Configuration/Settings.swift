// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats

/// The values of the settings, with the place where each was set.
struct Settings: Sendable {
  /// A value in its original syntax, with its place.
  struct Choice: Hashable, Sendable {
    let text: String

    /// The place for messages: `--origin`, `ORIGIN`, or the member of the file.
    let place: String
  }

  private var choices: [Setting: [Choice]] = [:]

  /// The configuration file; nil without one.
  let file: ConfigurationFile?

  /// Whether the server is for tests: nothing waits, and limits are high.
  let isForTests: Bool

  /// Environment variables that are probably misspelled settings, each with the suggested name.
  let misspelledVariables: [(variable: String, meant: String)]

  /// A warning for each misspelled variable.
  var spellingWarnings: [String] {
    misspelledVariables.map { "unknown setting \($0.variable.escapedForTerminal); did you mean \($0.meant)?" }
  }

  /// Reads the options, the environment, and the file that either of them names.
  init(
    _ arguments: ParsedArguments, environment: [String: String],
    read: (String) throws(CommandFailure) -> [UInt8]
  ) throws(CommandFailure) {
    misspelledVariables = Self.misspelledVariables(environment)
    isForTests = false
    let path = arguments[Setting.configuration.specification].first ?? environment[Setting.configuration.variables[0]]
    if let path { file = try ConfigurationFile(path: path, try read(path)) } else { file = nil }
    for setting in Setting.all {
      choices[setting] =
        Self.option(setting, arguments) ?? Self.variable(setting, environment) ?? file?.choices[setting]
    }
  }

  /// Reads the options of a server for tests. The other settings have these values, or their defaults.
  init(_ arguments: ParsedArguments, standards: [Setting: String]) throws(CommandFailure) {
    misspelledVariables = []
    isForTests = true
    file = nil
    for setting in Setting.all {
      choices[setting] =
        Self.option(setting, arguments) ?? standards[setting].map { [Choice(text: $0, place: setting.option)] }
    }
  }

  /// Returns the value of a setting with its place, or its default.
  func choice(_ setting: Setting) -> Choice? {
    list(setting).first
  }

  /// Returns all values of a list setting.
  func list(_ setting: Setting) -> [Choice] {
    choices[setting] ?? setting.standard.map { [Choice(text: $0, place: setting.option)] } ?? []
  }

  private static func option(_ setting: Setting, _ arguments: ParsedArguments) -> [Choice]? {
    guard arguments.has(setting.specification) else { return nil }
    return arguments[setting.specification].map { Choice(text: $0, place: setting.option) }
  }

  /// Variables that only `passkey` reads, which the environment may contain.
  static let commandLineVariables: Set = [
    "PASSKEY_AGENT", "PASSKEY_CACERT", "PASSKEY_CODE_ADDRESS", "PASSKEY_CODE_PURPOSE", "PASSKEY_CONNECT_TO",
    "PASSKEY_PASSPHRASE", "PASSKEY_PIN", "PASSKEY_SERVER", "PASSKEY_USER", "PASSKEY_VAULT",
  ]

  /// Other programs have variables with this prefix, so only names close to one of our settings count as misspelled.
  private static func misspelledVariables(_ environment: [String: String]) -> [(variable: String, meant: String)] {
    let known = ([Setting.configuration] + Setting.all).flatMap(\.variables)
    // These are for builds of the project.
    let ofBuilds: Set = ["PASSKEY_COMPILE_ONCE", "PASSKEY_LAB"]
    return environment.keys.sorted().compactMap { (variable) in
      guard variable.hasPrefix("PASSKEY_"), !known.contains(variable), !commandLineVariables.contains(variable),
        !ofBuilds.contains(variable), variable != TestServer.processVariable
      else {
        return nil
      }
      return variable.nearest(among: known).map { (variable, $0) }
    }
  }

  /// An empty variable counts as unset, because shells and unit files unset variables that way.
  private static func variable(_ setting: Setting, _ environment: [String: String]) -> [Choice]? {
    for variable in setting.variables {
      guard let text = environment[variable], !text.isEmpty else { continue }
      let values = setting.isList ? text.split(separator: ",").map { String($0).trimmed } : [text]
      let named = values.filter { !$0.isEmpty }
      // A list of commas only is passed on as an empty value, which is an error.
      return (named.isEmpty ? [""] : named).map { Choice(text: $0, place: variable) }
    }
    return nil
  }
}

extension String {
  /// The string without leading and trailing spaces.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
