// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnTypes

/// `passkey mds roots`
enum MetadataRootsCommand: Command {
  private static let time = Option<UnixTime?>(
    "--time", "TIME", help: "show which roots have expired at this time (now)")

  static let specification = CommandSpecification(
    name: "mds roots",
    summary: "list the built-in roots of attestation authorities, with expiry dates",
    arguments: "[OPTION…]",
    discussion: [
      """
      Prints a line for each root: its group, its expiry date, its owner and its name. A root is trusted only if a \
      policy names its group, for example with passkey verify --roots. The list was last reviewed on \
      \(day(PublishedRoot.checked)).
      """,
      "Exit codes: 0 the roots are listed, 2 invalid usage.",
    ],
    positionalCount: 0...0,
    options: [time, .jsonLines, .help],
    examples: [.init(command: "passkey mds roots", meaning: "list all built-in roots")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let time = arguments[Self.time] ?? Clock.now
    if arguments.asksForJSON {
      return try Output.write(PublishedRoot.all.flatMap(MetadataReport(at: time).json(of:)))
    }
    let rows = PublishedRoot.all.map { root in
      [
        root.group.rawValue,
        (root.certificate.notAfter < time ? "expired " : "until ") + day(root.certificate.notAfter),
        root.owner, "\(root.certificate.subject)".escapedForTerminal,
      ]
    }
    try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
  }

  private static func day(_ time: UnixTime) -> String {
    String("\(time)".prefix { $0 != "T" })
  }
}
