// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// Options that several commands about audits share.
enum AuditArguments {
  static let failOn = Option<Severity?>(
    "--fail-on", "SEVERITY", help: "the least severity that makes the command fail (medium)")

  static let group = Option<[CheckGroup]>("--group", "GROUP", help: "only the checks of this group")

  /// Returns the ids of checks in a repeatable option.
  static func ids(_ option: Option<[String]>, _ arguments: ParsedArguments) throws(CommandFailure) -> Set<String> {
    let known = Check.all.map(\.id)
    for id in arguments[option] where !known.contains(id) {
      throw .usage(
        "\(option.name) cannot be \(id.quotedForTerminal)",
        hint: id.nearest(among: known).map { "did you mean \($0)?" } ?? "passkey audit list prints the ids")
    }
    return Set(arguments[option])
  }
}

extension Severity: OptionValue {}

extension CheckGroup: OptionValue {}
