// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import PasskeyFormats

/// `passkey verify FILE…`, and `passkey verify --registration FILE` or `--authentication FILE` for one live response
enum VerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "verify",
    summary: "verify recorded ceremonies step by step",
    arguments: "[OPTION…] [FILE…]",
    discussion: [
      """
      Reads files of cases (format webauthn-vectors/1), verifies each registration and sign-in by the numbered steps \
      of WebAuthn Level 3, and compares the result with the expected one. The last line is "N passed, N failed", \
      followed by ", N skipped" if this libcrypto lacks an algorithm.
      """,
      """
      With --registration or --authentication, verifies one response from a browser against the options that the \
      server sent (--options) and the origin of the page (--origin). --record-out writes the credential record of a \
      registration; --record reads it to verify a sign-in. Any of these files may be -, which is standard input or \
      output.
      """,
      """
      For a registration, prints the claims that the attestation signs, the claims that its trust anchor vouches for, \
      and an Android key's description: security levels, purposes, origin, verified boot and patch levels.
      """,
      """
      With --against or --adapter, other implementations verify the same cases, each by an adapter: a program that \
      answers lines of JSON. Prints a table of the cases in which one accepts the response and another does not, and for \
      each implementation how often it agrees, disagrees, crashes, and cannot judge a case. --explain adds what each of \
      them says.
      """,
      """
      All files are verified, even if some of them cannot be read. Each of these is reported, and the exit code is not 0.
      """,
      """
      Exit codes: 0 every case behaves as expected, the response is valid, or all implementations agree, 1 a file cannot \
      be read or written or an adapter does not work, 2 invalid usage, 7 a case does not behave as expected, the \
      response is invalid, or an implementation disagrees or crashes.
      """,
    ],
    positionalCount: 0...Int.max,
    options: [
      OptionSpecification(name: "--case", value: .init(name: "ID"), help: "verify only the case with this id"),
      OptionSpecification(
        name: "--explain",
        help: "print each numbered step with the compared values; a step that compares nothing has no verdict"),
      .jsonLines,
    ] + adapterOptions + liveOptions + [.help],
    examples: [
      .init(command: "passkey verify vectors.json", meaning: "check that every case behaves as expected"),
      .init(
        command: "passkey verify --explain --case w3c/none.ES256/registration vectors.json",
        meaning: "show each step of one case"),
      .init(
        command: "passkey verify --registration response.json --options options.json --origin https://raxx.app",
        meaning: "check whether one response is valid, and why not"),
      .init(
        command: "passkey verify --against py_webauthn --against python-fido2 Vectors/*.json",
        meaning: "list the cases in which other implementations decide otherwise"),
    ])

  struct Options: CommandArguments {
    let subject: Subject
    let isExplained: Bool
    let asJSON: Bool

    enum Subject {
      case cases(files: [String], id: String?)
      case response(ResponseOptions)
      case comparison(files: [String], id: String?, ComparisonOptions)
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      isExplained = arguments.has("--explain")
      asJSON = arguments.asksForJSON
      let files = arguments.positionals
      if let comparison = try ComparisonOptions(arguments), !files.isEmpty {
        subject = .comparison(files: files, id: arguments["--case"], comparison)
      } else if let response = try ResponseOptions(decoding: arguments) {
        subject = .response(response)
      } else if !files.isEmpty {
        subject = .cases(files: files, id: arguments["--case"])
      } else {
        throw .usage(
          "nothing to verify: name a file of cases, --registration or --authentication",
          hint: "usage: passkey verify \(specification.arguments)")
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    switch options.subject {
    case .cases(let files, let id): try judgeCases(in: files, id: id, options)
    case .response(let response): try judge(response, options)
    case .comparison(let files, let id, let comparison):
      let (all, unreadable) = try readableCases(in: files, id: id, asJSON: false)
      let recorded = all.filter { $0.unavailableAlgorithm == nil }
      guard !recorded.isEmpty else { throw unreadable ?? noCase }
      do throws(CommandFailure) {
        try compare(recorded, comparison, isExplained: options.isExplained)
      } catch {
        if let unreadable { Diagnostics.passkey.report(unreadable) }
        throw error
      }
      if let unreadable { throw unreadable }
    }
  }

  private static let noCase = CommandFailure.verificationFailed(
    "no matching case", hint: "list the case ids with passkey verify --json FILE")

  private static func judgeCases(in files: [String], id: String?, _ options: Options) throws(CommandFailure) {
    let now = Clock.now
    let (all, unreadable) = try readableCases(in: files, id: id, asJSON: options.asJSON)
    var tally = CaseTally()
    for recorded in all {
      if let algorithm = recorded.unavailableAlgorithm {
        tally.skip()
        try Output.write(text(ofSkipped: recorded, algorithm, options))
        continue
      }
      let verdict = CaseVerdict(of: recorded, now: now)
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      tally.count(comparison.isAsExpected)
      try Output.write(text(of: recorded, verdict, comparison, options))
    }
    guard tally.total > 0 else { throw unreadable ?? noCase }
    if !options.asJSON { try Output.write(tally.description + "\n") }
    guard tally.failed == 0 else {
      if let unreadable { try report(unreadable, asJSON: options.asJSON) }
      throw .verificationFailed("\(tally.failed) of \(tally.total) cases did not behave as expected")
    }
    if let unreadable { throw unreadable }
  }

  /// Reads the cases of all files that can be read. Reports every failure but the last, which the caller throws after the
  /// other cases have been judged.
  private static func readableCases(
    in files: [String], id: String?, asJSON: Bool
  ) throws(CommandFailure) -> (cases: [VerificationCase], unreadable: CommandFailure?) {
    var recorded: [VerificationCase] = []
    var unreadable: CommandFailure?
    for path in files {
      do throws(CommandFailure) {
        recorded += try cases(in: path, id: id)
      } catch {
        if let unreadable { try report(unreadable, asJSON: asJSON) }
        unreadable = error
      }
    }
    return (recorded, unreadable)
  }

  /// Reports a file that cannot be read, as the program reports the failure that ends it.
  private static func report(_ failure: CommandFailure, asJSON: Bool) throws(CommandFailure) {
    if asJSON { try Output.write(failure.json) }
    Diagnostics.passkey.report(failure)
  }

  /// Reads the cases of a file: all of them, or the one with this id.
  private static func cases(in path: String, id: String?) throws(CommandFailure) -> [VerificationCase] {
    let text = try InputFile.bytes(path, limit: CaseFile.maximumByteCount)
    do throws(CaseFileError) {
      return try CaseFile.cases(in: text).filter { id ?? $0.id == $0.id }
    } catch {
      throw .verificationFailed(
        "\(path.quotedForTerminal): \(error)",
        hint: """
          a file of cases has the schema \(CaseFile.schema.quotedForTerminal); verify one response with --registration \
          or --authentication
          """)
    }
  }

  private static func text(
    ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm, _ options: Options
  ) -> String {
    if options.asJSON { return CaseReport.json(ofSkipped: recorded, algorithm) }
    return options.isExplained ? CaseReport.explanation(ofSkipped: recorded, algorithm) : ""
  }

  private static func text(
    of recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison, _ options: Options
  ) -> String {
    if options.asJSON { return CaseReport.json(recorded, verdict, comparison) }
    if options.isExplained { return CaseReport.explanation(recorded, verdict, comparison) }
    return comparison.isAsExpected ? "" : CaseReport.failure(recorded, comparison)
  }
}
