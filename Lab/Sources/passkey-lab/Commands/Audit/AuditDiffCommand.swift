// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// `passkey audit diff OLD NEW`
enum AuditDiffCommand: Command {
  static let specification = CommandSpecification(
    name: "audit diff",
    summary: "compare two reports of an audit",
    arguments: "[OPTION…] FILE FILE|-",
    discussion: [
      """
      Reads two reports, as passkey audit --json prints them, the older one first. Lists each check whose verdict changed: \
      newly failing, fixed, no longer judged, newly passing, not checked.
      """,
      """
      Exit codes: 0 no new failure, 1 a file cannot be read, 2 invalid usage, 7 a new failure at or above --fail-on.
      """,
    ],
    positionalCount: 2...2,
    options: [AuditArguments.failOn, .json, .help],
    examples: [
      .init(command: "passkey audit diff last.json now.json", meaning: "list the checks whose verdicts changed")
    ])

  struct Options: CommandArguments {
    fileprivate let old: String
    fileprivate let new: String
    fileprivate let threshold: Severity
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      (old, new) = (arguments.positionals[0], arguments.positionals[1])
      threshold = arguments[AuditArguments.failOn] ?? .medium
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let difference = ReportDifference(from: try report(options.old), to: try report(options.new))
    if options.asJSON {
      try Output.write(difference.json + [UInt8(ascii: "\n")])
    } else {
      try Output.write(difference.text)
    }
    let failures = difference.newFailures(atLeast: options.threshold)
    guard failures.isEmpty else {
      throw .verificationFailed(
        "\(ReportText.count(failures.count, "new failure")) at or above the severity \(options.threshold)",
        hint: "run one check with passkey audit --only ID to see its requests")
    }
  }

  private static func report(_ path: String) throws(CommandFailure) -> AuditReport {
    let text = try InputFile.bytes(path, limit: JSONReport.maximumByteCount)
    return try mapError(JSONReport.report(from: text[...])) { (error: ReportError) in
      CommandFailure.inputOutput(
        "\(InputFile.name(path)) is not a report: \(error.detail.escapedForTerminal)",
        hint: "write a report with passkey audit --json"
      ).coded(error.code.rawValue)
    }
  }
}
