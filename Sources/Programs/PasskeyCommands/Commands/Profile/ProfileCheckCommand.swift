// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles

/// `passkey profile check FILE`
enum ProfileCheckCommand: Command {
  static let specification = CommandSpecification(
    name: "profile check",
    summary: "check a profile, and list what it describes",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      Reads the file as every command with --profile does, and names the first mistake with its path, line and column. \
      Then lists the endpoints, the environment variables that the profile needs, and the requests that get values such \
      as tokens against CSRF.
      """,
      "Exit codes: 0 valid, 1 the file cannot be read, 2 invalid usage, 7 the file is not a profile.",
    ],
    positionalCount: 1...1,
    options: [.json, .help],
    examples: [.init(command: "passkey profile check ./shop.json", meaning: "check a profile")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let path = arguments.positionals[0]
    let text = try InputFile.bytes(path)
    let profile = try mapError(ServiceProfile(json: text)) { (error: ProfileError) in
      CommandFailure.verificationFailed(
        "\(InputFile.name(path)) is not a profile: \(error.description.escapedForTerminal)"
      )
      .coded(error.code.rawValue)
    }
    try report(on: profile, asJSON: arguments.asksForJSON).write()
  }

  private static func report(on profile: ServiceProfile, asJSON: Bool) -> Report {
    var report = Report(asJSON: asJSON)
    report.add("profile", profile.name)
    let endpoints = EndpointName.allCases.filter { profile[$0] != nil }.map(\.rawValue)
    add("endpoints", endpoints, to: &report)
    let missing = needed.filter { profile[$0] == nil }.map(\.rawValue)
    add("missing", missing, to: &report)
    var environment: [String] = []
    var sources: [String] = []
    for value in profile.values.sorted(by: { $0.key < $1.key }).map(\.value) {
      if case .environment(let name) = value.source { environment.append(name) }
      if let from = value.from, !sources.contains("GET \(from)") { sources.append("GET \(from)") }
    }
    add("environment", environment, to: &report)
    add("values from", sources, to: &report)
    return report
  }

  /// The endpoints without which neither passkey sign-in nor passkey register works.
  private static let needed: [EndpointName] = [.registerOptions, .registerVerify, .signInOptions, .signInVerify]

  private static func add(_ name: String, _ values: [String], to report: inout Report) {
    let member = name == "values from" ? "valuesFrom" : name
    let array = JSON.writeArray { (array) in for value in values { array.write(value) } }
    guard let value = try? JSON.parse(array, maximumSize: array.count) else { return }
    let line = values.isEmpty ? "-" : values.joined(separator: ", ").escapedForTerminal
    report.add(name, line: line, members: [(member, .verbatim(value))])
  }
}
