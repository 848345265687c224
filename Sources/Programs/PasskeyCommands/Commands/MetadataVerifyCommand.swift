// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnAttestation
internal import WebAuthnInspection

/// `passkey mds verify BLOB`
enum MetadataVerifyCommand: Command {
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
    options: MetadataFile.trustOptions + [
      OptionSpecification(
        name: "--previous-number", value: .init(name: "N"), help: "refuse metadata with a smaller number than this"),
      OptionSpecification(
        name: "--rogue-list", value: .init(name: "FILE"), isRepeatable: true,
        help: "require an entry with the hash of this list, to which its rogueListURL points"),
      .json,
      .help,
    ],
    examples: [
      .init(command: "passkey mds verify blob.jwt", meaning: "check whether these are the current metadata"),
      .init(
        command: "passkey mds verify --previous-number 122 --crl root.crl blob.jwt",
        meaning: "the same, with the number of the previous update"),
    ])

  struct Options: CommandArguments {
    fileprivate let file: MetadataFile
    fileprivate let previousNumber: UInt64
    fileprivate let rogueLists: [String]
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      previousNumber = try arguments.number("--previous-number") ?? 0
      file = try MetadataFile(arguments)
      rogueLists = arguments.all("--rogue-list")
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let file = options.file
    let blob = try file.blob(lastNumber: options.previousNumber, expiry: .refused)
    let report = MetadataReport(at: file.time)
    var rogueLists: [RogueListMatch] = []
    for path in options.rogueLists { rogueLists += try MetadataFile.rogueListMatches(path, of: blob) }
    if options.asJSON {
      try Output.write(report.json(of: blob, rogueLists))
    } else {
      try Output.write(report.summary(of: blob, rogueLists))
    }
  }
}
