// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnAttestation
internal import WebAuthnInspection

/// `passkey mds verify BLOB`
enum MetadataVerifyCommand: Command {
  private static let previousNumber = Option<UInt64?>(
    "--previous-number", "N", help: "refuse metadata with a smaller number than this")
  private static let rogueList = Option<[String]>(
    "--rogue-list", "FILE",
    help: "require an entry with the hash of this list, to which its rogueListURL points")

  static let specification = CommandSpecification(
    name: "mds verify",
    summary: "verify that metadata are authentic and up to date",
    arguments: "[OPTION…] BLOB|-",
    discussion: [
      """
      Verifies the signature, the path to a trust anchor, the number, and the date of the next update. Entries that \
      cannot be read are reported; the others stay usable.
      """,
      """
      Exit codes: 0 the metadata are valid and current, 1 a file cannot be read, 2 invalid usage, 7 the metadata are \
      invalid or outdated.
      """,
    ],
    positionalCount: 1...1,
    options: MetadataFile.trustOptions + [previousNumber, rogueList, .json, .help],
    examples: [
      .init(command: "passkey mds verify blob.jwt", meaning: "check whether these are the current metadata"),
      .init(
        command: "passkey mds verify --previous-number 122 --crl root.crl blob.jwt",
        meaning: "the same, with the number of the previous update"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let previousNumber = arguments[Self.previousNumber] ?? 0
    let file = try MetadataFile(arguments)
    let blob = try file.blob(lastNumber: previousNumber, expiry: .refused)
    let report = MetadataReport(at: file.time)
    var rogueLists: [RogueListMatch] = []
    for path in arguments[rogueList] { rogueLists += try MetadataFile.rogueListMatches(path, of: blob) }
    if arguments.asksForJSON {
      try Output.write(report.json(of: blob, rogueLists))
    } else {
      try Output.write(report.summary(of: blob, rogueLists))
    }
  }
}
