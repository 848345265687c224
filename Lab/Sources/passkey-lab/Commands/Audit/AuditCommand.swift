// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient
internal import WebAuthnTypes

/// `passkey audit URL`
enum AuditCommand: Command {
  static let specification = CommandSpecification(
    name: "audit",
    summary: "test the passkey endpoints of a live server",
    arguments: "[OPTION…] URL",
    discussion: [
      """
      Registers accounts at the server with a software authenticator, sends valid and invalid ceremonies, and judges each \
      response: every check passes, fails, or cannot tell with a reason. The profile describes the server's routes and \
      messages. Lab/Documentation/Audit/Guide.md is a guide.
      """,
      """
      Test only servers that you may test: a URL outside this machine needs --i-may-test. The accounts are named \
      passkey-audit-…, and are deleted at the end if the profile has erase-account.
      """,
      AuditAccountSteps.explanation,
      """
      If the server limits requests (429), the audit waits and continues, and says so. Ctrl-C ends it: the reports have the \
      verdicts of the finished checks, also if the server is lost.
      """,
      """
      Exit codes: 0 passed, 1 a file cannot be read or written, 2 invalid usage, 3 the server cannot be reached or was lost, \
      4 a group of checks could not be judged because its positive control failed, 7 a failure at or above --fail-on, 130 \
      cancelled with Ctrl-C.
      """,
    ],
    positionalCount: 0...1,
    options: targetOptions + selectionOptions + reportOptions + boundOptions + ServerOptions.connectionOptions + [
      .json, .help,
    ],
    rareOptions: AuditAccountSteps.options + [
      invitation, skip, AuditArguments.group, only, selfTest, AuditArguments.failOn,
    ]
      + [allowUnjudged, baselineFile, writeBaseline, sarif, junit] + boundOptions
      + ServerOptions.rareOptions.filter { (option) in option.name != ServerOptions.profile.name },
    examples: [
      .init(
        command: "passkey audit --profile shop.json http://localhost:8080", meaning: "audit a server on this machine"),
      .init(
        command: "passkey audit --i-may-test shop.example --html report.html --junit audit.xml https://shop.example",
        meaning: "audit another server, and write reports"),
      .init(
        command: "passkey audit --only authentication.challenge-other http://localhost:8080",
        meaning: "run one check, and print its requests as commands of curl"),
    ])

  static let invitation = Option(
    "--invitation", "CODE", help: "sign up with this code, if the server requires one")

  private static let targetOptions =
    ServerOptions.siteOptions + [Consent.option, invitation] + AuditAccountSteps.options

  private static let only = Option<[String]>(
    "--only", "ID", help: "run only this check, and print its requests and responses")
  private static let skip = Option<[String]>("--skip", "ID", help: "leave this check out")
  private static let selfTest = Option(
    "--self-test", help: "test the audit itself against simulated servers, without a network")

  private static let selectionOptions: [any OptionSpecification] = [only, skip, AuditArguments.group, selfTest]

  private static let allowUnjudged = Option(
    "--allow-unjudged", help: "exit with 0 although some groups of checks could not be judged")
  private static let baselineFile = Option(
    "--baseline", "FILE", help: "accept the failures in this file (JSON) until their last days")
  private static let writeBaseline = Option(
    "--write-baseline", "FILE", help: "write a baseline (JSON) that accepts the failures for 90 days")
  private static let sarif = Option("--sarif", "FILE", help: "write a SARIF log, for code scanning")
  private static let junit = Option("--junit", "FILE", help: "write JUnit XML, for CI systems")
  private static let html = Option("--html", "FILE", help: "write one self-contained HTML file")

  private static let reportOptions: [any OptionSpecification] = [
    AuditArguments.failOn, allowUnjudged, baselineFile, writeBaseline, sarif, junit, html,
  ]

  private static let rate = Option(
    "--rate", "NUMBER",
    help: "send at most this many requests a second (20; no limit on loopback)")
  private static let maxRequests = Option<UInt64?>(
    "--max-requests", "NUMBER", help: "send at most this many requests (3000)")
  private static let patience = Option<Duration?>(
    "--patience", "DURATION",
    help: "wait at most this long for one expiry or rate limit (10s)")

  private static let boundOptions: [any OptionSpecification] = [rate, maxRequests, patience]

  struct Options: CommandArguments {
    /// The audit; nil for the test of the audit itself.
    fileprivate let audit: AuditOptions?
    fileprivate let baseline: Baseline
    fileprivate let threshold: Severity
    fileprivate let files: [(path: String, text: @Sendable (JudgedReport) -> [UInt8])]
    fileprivate let asJSON: Bool
    fileprivate let allowsUnjudged: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      asJSON = arguments.asksForJSON
      allowsUnjudged = arguments[allowUnjudged]
      threshold = arguments[AuditArguments.failOn] ?? .medium
      baseline = try Self.baseline(arguments[baselineFile])
      let writers: [(Option<String?>, @Sendable (JudgedReport) -> [UInt8])] = [
        (sarif, SARIFReport.text), (junit, JUnitReport.text), (html, HTMLReport.text),
        (writeBaseline, Baseline.text),
      ]
      files = writers.compactMap { (option, text) in arguments[option].map { ($0, text) } }
      for file in files { try OutputFile.demandFolder(of: file.path) }
      if arguments[selfTest] {
        guard arguments.positionals.isEmpty, !asJSON, files.isEmpty else {
          throw .usage("--self-test audits no server", hint: "write passkey audit --self-test alone")
        }
        audit = nil
        return
      }
      guard let address = arguments.positionals.first else {
        throw specification.missing(after: 0, of: Program.passkey.name)
      }
      if let command = address.nearest(among: ["list", "diff", "learn"]) {
        throw .usage("unknown command \("audit \(address)".quotedForTerminal)", hint: "did you mean audit \(command)?")
      }
      audit = try Self.audit(of: address, arguments)
    }

    private static func audit(
      of address: String, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> AuditOptions {
      let server = try ServerOptions(arguments, url: address)
      try Consent.demand(for: server, arguments)
      var audit = AuditOptions(server.server, server.profile) { Clock.now }
      audit.http = server.http
      audit.relyingPartyID = server.relyingPartyID?.text
      audit.origin = server.origin.text
      audit.invitation = arguments[invitation]
      try AuditAccountSteps.set(arguments, in: &audit)
      audit.only = try AuditArguments.ids(only, arguments)
      audit.skipped = try AuditArguments.ids(skip, arguments)
      audit.groups = Set(arguments[AuditArguments.group])
      guard Check.all.contains(where: audit.selects) else {
        throw .usage("no check is selected", hint: "change --only, --skip or --group")
      }
      audit.version = Version.current
      if let text = arguments[rate] {
        guard let rate = Double(text), 0.1...10_000 ~= rate else {
          throw .usage(
            "--rate cannot be \(text.quotedForTerminal)", hint: "use a number of requests a second, from 0.1 to 10000")
        }
        audit.requestsPerSecond = rate
      }
      if let count = arguments[maxRequests] {
        guard let maximum = Int(exactly: count), 1...1_000_000 ~= maximum else {
          throw .usage("--max-requests cannot be \(count)", hint: "use a number from 1 to 1000000")
        }
        audit.maximumRequests = maximum
      }
      if let patience = arguments[patience] { audit.patience = patience }
      return audit
    }

    private static func baseline(_ path: String?) throws(CommandFailure) -> Baseline {
      guard let path else { return Baseline() }
      let text = try InputFile.bytes(path, limit: Baseline.maximumByteCount)
      return try mapError(Baseline(json: text[...], ids: Set(Check.all.map(\.id)))) { (error: ReportError) in
        CommandFailure.inputOutput(
          "\(InputFile.name(path)) is not a baseline: \(error.detail.escapedForTerminal)",
          hint: "an entry has an id, a reason, and until: a date such as 2027-03-31"
        ).coded(error.code.rawValue)
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    guard var audit = options.audit else { return try testItself() }
    let progress = AuditProgress()
    audit.limited = { (paused) in progress.wait(after: paused) }
    audit.waits = { (pause, event) in progress.wait(pause, until: event) }
    let audited = try Blocking.wait(untilInterrupted: true) {
      [audit] () throws(CommandFailure) -> (AuditReport, Bool) in
      do throws(ClientError) {
        let report = try await Audit.run(audit) { (check, done, all) in
          progress.show(check, done, all)
        }
        return (report, Task.isCancelled)
      } catch {
        throw .usage(
          "the server cannot be audited: \((error.detail ?? error.code.rawValue).escapedForTerminal)",
          hint: "check the URL, --origin and --rp-id")
      }
    }
    progress.clear()
    let (report, isCancelled) = audited
    let loss = report.loss.map { CommandFailure($0) }
    let isEmpty = report.leftBehind.isEmpty && !report.findings.contains { $0.isJudged }
    if let loss, isEmpty { throw loss }
    let judged = JudgedReport(
      report, baseline: options.baseline, threshold: options.threshold, now: Clock.now)
    try write(judged, options)
    guard !isCancelled else { throw .interrupted }
    if let loss { throw loss }
    try judge(judged, options)
  }

  /// Prints the report and writes each file, even if another file cannot be written.
  private static func write(_ judged: JudgedReport, _ options: Options) throws(CommandFailure) {
    var failure: CommandFailure?
    for file in options.files {
      do throws(CommandFailure) {
        try OutputFile.write(file.text(judged), to: file.path)
      } catch {
        failure = failure ?? error
      }
    }
    try Output.write(options.asJSON ? JSONReport.text(judged) + [UInt8(ascii: "\n")] : text(judged, options))
    if let failure { throw failure }
  }

  private static func testItself() throws(CommandFailure) {
    let test = try Blocking.wait { () throws(CommandFailure) -> SelfTest in
      try await mapError(async: await SelfTest.run { Clock.now }) { (error: ClientError) in
        CommandFailure.verificationFailed("the self-test could not run: \(error.code.rawValue)")
      }
    }
    for row in test.rows {
      try Output.write("\(row.holds ? "holds " : "BROKEN")  \(row.statement)\n")
      for line in row.contradictions { try Output.write("        \(line.escapedForTerminal)\n") }
    }
    guard test.passes else { throw .verificationFailed("the audit does not distinguish correct and incorrect servers") }
  }

  private static func text(_ judged: JudgedReport, _ options: Options) -> [UInt8] {
    let palette = Palette.standard(for: .standardOutput)
    return [UInt8](
      TerminalReport(judged, showsExchanges: options.audit?.only.isEmpty == false, emphasize: palette.name).text.utf8)
  }

  private static func judge(_ judged: JudgedReport, _ options: Options) throws(CommandFailure) {
    guard judged.count(.cannotTell) < judged.report.findings.count else {
      let reason = judged.findings(.cannotTell).first?.detail ?? ""
      throw .refusedByServer(
        "no check could be judged: \(reason.escapedForTerminal)",
        hint: "passkey register and passkey sign-in, with the same profile, show what the server refuses")
    }
    let blocking = judged.blocking
    guard blocking.isEmpty else {
      throw .verificationFailed(
        "\(ReportText.count(blocking.count, "failed check")) at or above the severity \(judged.threshold)",
        hint: options.audit?.only.isEmpty == true
          ? "run one check with --only ID to see its requests; Lab/Documentation/Audit/Checks.md describes each check"
          : "Lab/Documentation/Audit/Checks.md describes each check")
    }
    let unjudged = judged.report.unjudgedGroups
    guard unjudged.isEmpty || options.allowsUnjudged else {
      throw .refusedByServer(
        "\(ReportText.count(unjudged.count, "group")) not judged: \(unjudged.map(\.group).joined(separator: ", "))",
        hint: "mend the profile or the server, leave the group out with --group, or allow it with --allow-unjudged")
    }
  }
}
