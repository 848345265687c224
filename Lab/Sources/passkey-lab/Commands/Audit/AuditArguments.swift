// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// Options that several commands about audits share.
enum AuditArguments {
  static let failOn = OptionSpecification(
    name: "--fail-on", value: .init(name: "SEVERITY", choices: Severity.allCases.map(\.rawValue)),
    help: "the least severity that makes the command fail (medium)")

  static let group = OptionSpecification(
    name: "--group", value: .init(name: "GROUP", choices: CheckGroup.allCases.map(\.rawValue)), isRepeatable: true,
    help: "only the checks of this group")

  static func threshold(_ arguments: ParsedArguments) -> Severity {
    arguments["--fail-on"].flatMap { Severity(rawValue: $0) } ?? .medium
  }

  static func groups(_ arguments: ParsedArguments) -> Set<CheckGroup> {
    Set(arguments.all("--group").compactMap { CheckGroup(rawValue: $0) })
  }

  /// Returns the ids of checks in a repeatable option.
  static func ids(_ name: String, _ arguments: ParsedArguments) throws(CommandFailure) -> Set<String> {
    let known = Check.all.map(\.id)
    for id in arguments.all(name) where !known.contains(id) {
      throw .usage(
        "\(name) cannot be \(id.quotedForTerminal)",
        hint: id.nearest(among: known).map { "did you mean \($0)?" } ?? "passkey audit list prints the ids")
    }
    return Set(arguments.all(name))
  }
}
