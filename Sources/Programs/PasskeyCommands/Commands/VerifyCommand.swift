// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

/// `passkey verify FILE…`, and `passkey verify --registration FILE` or `--authentication FILE` for one live response
enum VerifyCommand: Command {
  static let caseID = Option("--case", "ID", help: "verify only the case with this id")
  static let explain = Option(
    "--explain",
    help: "print each numbered step with the compared values; a step that compares nothing has no verdict")

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
      With --against or --adapter, other implementations verify the same cases: see passkey help compare.
      """,
      """
      All files are verified, even if some of them cannot be read. Each of these is reported, and the exit code is not 0.
      """,
      """
      Exit codes: 0 every case behaves as expected, or the response is valid, 1 a file cannot be read or written, 2 \
      invalid usage, 7 a case does not behave as expected, or the response is invalid.
      """,
    ],
    positionalCount: 0...Int.max,
    options: [caseID, explain, .jsonLines] + liveOptions + [.help],
    examples: [
      .init(command: "passkey verify vectors.json", meaning: "check that every case behaves as expected"),
      .init(
        command: "passkey verify --explain --case w3c/none.ES256/registration vectors.json",
        meaning: "show each step of one case"),
      .init(
        command: "passkey verify --registration response.json --options options.json --origin https://raxx.app",
        meaning: "check whether one response is valid, and why not"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let files = arguments.positionals
    if let response = try ResponseOptions(decoding: arguments) {
      try judge(response, arguments)
    } else if !files.isEmpty {
      try judgeCases(in: files, arguments)
    } else {
      throw .usage(
        "nothing to verify: name a file of cases, --registration or --authentication",
        hint: "usage: passkey verify \(specification.arguments)")
    }
  }

  private static func judgeCases(in files: [String], _ arguments: ParsedArguments) throws(CommandFailure) {
    let now = Clock.now
    let asJSON = arguments.asksForJSON
    let (all, unreadable) = try RecordedCases.readable(in: files, id: arguments[caseID], asJSON: asJSON)
    var tally = CaseTally()
    for recorded in all {
      if let algorithm = recorded.unavailableAlgorithm {
        tally.skip()
        try Output.write(text(ofSkipped: recorded, algorithm, arguments))
        continue
      }
      let verdict = CaseVerdict(of: recorded, now: now)
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      tally.count(comparison.isAsExpected)
      try Output.write(text(of: recorded, verdict, comparison, arguments))
    }
    guard tally.total > 0 else { throw unreadable ?? RecordedCases.none }
    if !asJSON { try Output.write(tally.description + "\n") }
    guard tally.failed == 0 else {
      if let unreadable { try RecordedCases.report(unreadable, asJSON: asJSON) }
      throw .verificationFailed("\(tally.failed) of \(tally.total) cases did not behave as expected")
    }
    if let unreadable { throw unreadable }
  }

  private static func text(
    ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm, _ arguments: ParsedArguments
  ) -> String {
    if arguments.asksForJSON { return CaseReport.json(ofSkipped: recorded, algorithm) }
    return arguments[explain] ? CaseReport.explanation(ofSkipped: recorded, algorithm) : ""
  }

  private static func text(
    of recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison, _ arguments: ParsedArguments
  ) -> String {
    if arguments.asksForJSON { return CaseReport.json(recorded, verdict, comparison) }
    if arguments[explain] { return CaseReport.explanation(recorded, verdict, comparison) }
    return comparison.isAsExpected ? "" : CaseReport.failure(recorded, comparison)
  }
}
