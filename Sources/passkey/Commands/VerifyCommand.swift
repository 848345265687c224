// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WireFormats

/// `passkey verify FILE…`, and `passkey verify --registration FILE` or `--authentication FILE` for one live response
enum VerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "verify",
    summary: "judge ceremonies by the standard, step by step",
    arguments: "[OPTION…] [FILE…]",
    discussion: [
      """
      Reads files of cases (the format webauthn-vectors/1), judges each registration and sign-in by the numbered steps \
      of WebAuthn Level 3, and compares the verdict with what the case expects. The last line is "N passed, N failed", and ", N skipped" where there are algorithms that this libcrypto has not.
      """,
      """
      With --registration or --authentication it judges one response that a browser gave, by the options that the server \
      had sent (--options) and the origin of the page (--origin). A registration's record is written with --record-out; \
      --record takes it to judge a sign-in. Any of these files may be -, which is standard input or output.
      """,
      """
      For a registration it prints the claims that the attestation signs, those that its trust anchor vouches for, and an \
      Android key's description: security levels, purposes, origin, verified boot and patch levels.
      """,
      """
      Exit codes: 0 every case behaves as expected, or the response is verified, 1 a file cannot be read or written, 2 the \
      command line is not understood, 7 a case does not behave as expected, or the response is refused.
      """,
    ],
    positionalCount: 0...Int.max,
    options: [
      OptionSpecification(name: "--case", value: .init(name: "ID"), help: "judge only the case with this id"),
      OptionSpecification(name: "--explain", help: "print each numbered step, with what was compared"),
      OptionSpecification(name: "--json", help: "print a line of JSON for each case"),
    ] + liveOptions + [.help],
    examples: [
      .init(command: "passkey verify vectors.json", meaning: "whether every case behaves as it should"),
      .init(
        command: "passkey verify --explain --case w3c/none.ES256/registration vectors.json",
        meaning: "each step of one case"),
      .init(
        command: "passkey verify --registration response.json --options options.json --origin https://raxx.app",
        meaning: "whether one response holds, and why not"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    if let ceremony = try liveCeremony(arguments) { return try judge(ceremony, arguments) }
    guard !arguments.positionals.isEmpty else {
      throw .usage(
        "verify needs a file of cases, or --registration, or --authentication",
        hint: "usage: passkey verify \(specification.arguments)")
    }
    try judgeCases(arguments)
  }

  private static func judgeCases(_ arguments: ParsedArguments) throws(CommandFailure) {
    let now = Clock.now
    var tally = Tally()
    for path in arguments.positionals {
      let file = try InputFile.bytes(path, limit: CaseFile.maximumByteCount)
      for recorded in try cases(in: file[...], named: path) {
        guard arguments["--case"] ?? recorded.id == recorded.id else { continue }
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
    }
    guard tally.total > 0 else {
      throw .verificationFailed("no case was judged", hint: "passkey verify --json FILE lists the cases' ids")
    }
    if !arguments.has("--json") { try Output.write(tally.line) }
    guard tally.failed == 0 else {
      throw .verificationFailed("\(tally.failed) of \(tally.total) cases do not behave as expected")
    }
  }

  private static func cases(in text: Bytes, named path: String) throws(CommandFailure) -> [VerificationCase] {
    do throws(CaseFileError) {
      return try CaseFile.cases(in: text)
    } catch {
      throw .verificationFailed(
        "\(path.quotedForTerminal): \(error)",
        hint: """
          a file of cases has the schema \(CaseFile.schema.quotedForTerminal); one response is judged with --registration \
          or --authentication
          """)
    }
  }

  private static func text(
    ofSkipped recorded: VerificationCase, _ algorithm: COSEAlgorithm, _ arguments: ParsedArguments
  ) -> String {
    if arguments.has("--json") { return CaseReport.json(ofSkipped: recorded, algorithm) }
    return arguments.has("--explain") ? CaseReport.explanation(ofSkipped: recorded, algorithm) : ""
  }

  private static func text(
    of recorded: VerificationCase, _ verdict: CaseVerdict, _ comparison: CaseComparison, _ arguments: ParsedArguments
  ) -> String {
    if arguments.has("--json") { return CaseReport.json(recorded, verdict, comparison) }
    if arguments.has("--explain") { return CaseReport.explanation(recorded, verdict, comparison) }
    return comparison.isAsExpected ? "" : CaseReport.failure(recorded, comparison)
  }
}

/// Counts the cases that passed, failed or were skipped.
private struct Tally {
  private(set) var passed = 0
  private(set) var failed = 0

  /// Cases that the installed libcrypto cannot verify.
  private(set) var skipped = 0

  var total: Int { passed + failed + skipped }

  var line: String { "\(passed) passed, \(failed) failed\(skipped == 0 ? "" : ", \(skipped) skipped")\n" }

  mutating func skip() {
    skipped += 1
  }

  mutating func count(_ isAsExpected: Bool) {
    if isAsExpected { passed += 1 } else { failed += 1 }
  }
}
