// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnInspection

/// `passkey compare --against NAME FILE…`, or `passkey verify --against NAME FILE…`
enum CompareCommand: Command {
  private static let against = Option<[String]>(
    "--against", "NAME",
    help: "compare with an implementation, by the program passkey-adapter-NAME in PATH")
  private static let adapter = Option<[String]>(
    "--adapter", "COMMAND",
    help: "compare with an implementation, by the adapter that this shell command runs")
  private static let caseID = Option("--case", "ID", help: "compare only the case with this id")
  private static let explain = Option("--explain", help: "print what each implementation says")
  private static let timeLimit = Option<Duration?>(
    "--time-limit", "DURATION",
    help: "the time that an adapter may take for a case (10s); it may take six times as long to start")
  private static let markdown = Option("--markdown", help: "print the comparison as a page in Markdown")
  private static let notes = Option("--notes", "FILE", help: "explanations of disagreements, for --markdown")

  static let specification = CommandSpecification(
    name: "compare",
    summary: "compare the verdicts of implementations on recorded ceremonies",
    arguments: "--against NAME [OPTION…] FILE…",
    discussion: [
      """
      Other implementations verify the same cases as passkey verify, each by an adapter: a program that answers lines of JSON. Prints a \
      table of the cases in which one accepts the response and another does not, and for each implementation how often \
      it agrees, disagrees, crashes, and cannot judge a case.
      """,
      """
      All files are verified, even if some of them cannot be read. Each of these is reported, and the exit code is not 0.
      """,
      """
      Exit codes: 0 all implementations agree, 1 a file cannot be read or written or an adapter does not work, 2 invalid \
      usage, 7 an implementation disagrees or crashes.
      """,
    ],
    positionalCount: 1...Int.max,
    options: [against, adapter, caseID, explain, timeLimit, markdown, notes, .jsonLines, .help],
    examples: [
      .init(
        command: "passkey compare --against py_webauthn --against python-fido2 Vectors/*.json",
        meaning: "list the cases in which other implementations decide otherwise")
    ])

  struct Options: CommandArguments {
    fileprivate let adapters: [Adapter]
    fileprivate let format: Format
    fileprivate let files: [String]
    fileprivate let id: String?
    fileprivate let isExplained: Bool

    fileprivate enum Format {
      case text
      case json
      case markdown(notes: String?)
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      files = arguments.positionals
      id = arguments[caseID]
      isExplained = arguments[explain]
      let limit = arguments[timeLimit] ?? .seconds(10)
      var adapters: [Adapter] = []
      for name in arguments[against] {
        guard let adapter = Adapter(named: name, timeLimit: limit) else {
          throw .usage(
            "--against cannot be \(name.quotedForTerminal)",
            hint: "write the end of the name of a program: py_webauthn for passkey-adapter-py_webauthn")
        }
        adapters.append(adapter)
      }
      adapters += arguments[adapter].map { Adapter(command: $0, timeLimit: limit) }
      guard !adapters.isEmpty else {
        throw .usage("nothing to compare with", hint: "name an implementation with --against or --adapter")
      }
      self.adapters = adapters
      switch (arguments[markdown], arguments.asksForJSON) {
      case (true, true): throw .usage("--markdown and --json cannot be combined", hint: "omit one of them")
      case (true, false): format = .markdown(notes: arguments[notes])
      case (false, let asJSON):
        guard !arguments.has(notes) else {
          throw .usage("--notes needs --markdown", hint: "only the page has explanations")
        }
        format = asJSON ? .json : .text
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (all, unreadable) = try RecordedCases.readable(in: options.files, id: options.id, asJSON: false)
    let recorded = all.filter { $0.unavailableAlgorithm == nil }
    guard !recorded.isEmpty else { throw unreadable ?? RecordedCases.none }
    do throws(CommandFailure) {
      try compare(recorded, options)
    } catch {
      if let unreadable { Diagnostics.passkey.report(unreadable) }
      throw error
    }
    if let unreadable { throw unreadable }
  }

  private static func compare(_ recorded: [VerificationCase], _ options: Options) throws(CommandFailure) {
    let notes =
      if case .markdown(let path?) = options.format { try ComparisonNotes(path: path) } else { ComparisonNotes() }
    let now = Clock.now
    let comparison = try Comparison(of: recorded, with: options.adapters, now: now)
    switch options.format {
    case .json: try Output.write(comparison.json)
    case .text:
      try Output.write(
        comparison.text(isExplained: options.isExplained, width: TerminalWidth.columns(of: .standardOutput)))
    case .markdown(let path):
      let page = ComparisonPage(comparison: comparison, notes: notes, date: now)
      try Output.write(page.text)
      if path != nil, !page.unexplained.isEmpty {
        throw .verificationFailed(
          "no note explains \(page.unexplained.joined(separator: ", ").escapedForTerminal)",
          hint: "add each to a kind in the file of --notes")
      }
    }
    let crashed = comparison.crashed.count
    guard comparison.disputed.isEmpty, crashed == 0 else {
      throw .verificationFailed(
        "the implementations disagree on \(comparison.disputed.count) of \(recorded.count) cases"
          + (crashed == 0 ? "" : ", and crash on \(crashed)"),
        hint: "--explain prints what each of them says")
    }
  }
}
