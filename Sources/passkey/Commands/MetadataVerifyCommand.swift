// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAttestation

/// `passkey mds verify BLOB`
enum MetadataVerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "mds verify",
    summary: "tell whether metadata are what their service signed, and up to date",
    arguments: "[OPTION…] BLOB|-",
    discussion: [
      """
      Verifies the signature, the path to an anchor, the number and the day by which the next issue was to come. Entries \
      that cannot be read are named; they do not spoil the others.
      """,
      """
      Exit codes: 0 the metadata may be used, 1 a file cannot be read, 2 the command line is not understood, 7 the \
      metadata are refused.
      """,
    ],
    positionalCount: 1...1,
    options: MetadataFile.trustOptions + [
      OptionSpecification(
        name: "--previous-number", value: .init(name: "N"), help: "refuse an issue that is older than this one"),
      OptionSpecification(
        name: "--rogue-list", value: .init(name: "FILE"), isRepeatable: true,
        help: "demand that an entry has the hash of this list, which its rogueListURL leads to"),
      OptionSpecification(name: "--json", help: "print a line of JSON"),
      .help,
    ],
    examples: [
      .init(command: "passkey mds verify blob.jwt", meaning: "whether this is the current issue"),
      .init(
        command: "passkey mds verify --previous-number 122 --crl root.crl blob.jwt",
        meaning: "the same, with what is known from the last time"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let previous = try arguments.number("--previous-number") ?? 0
    let blob = try MetadataFile.blob(arguments, lastNumber: previous, expiry: .refused)
    let report = MetadataReport(time: try arguments.time("--time") ?? Clock.now)
    let rogueLists = try MetadataFile.rogueLists(arguments, of: blob)
    if arguments.has("--json") {
      try Output.write(report.json(of: blob, rogueLists))
    } else {
      try Output.write(report.summary(of: blob, rogueLists))
    }
  }
}
