// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemIO
internal import WebAuthnAttestation
internal import WebAuthnTypes
internal import WireFormats

/// `passkey mds show BLOB`
enum MetadataShowCommand: Command {
  static let specification = CommandSpecification(
    name: "mds show",
    summary: "list every model of authenticators, or tell all about one",
    arguments: "[OPTION…] BLOB|-",
    discussion: [
      """
      A line for each model: its identifier, the state that it is in, and its name. With --aaguid, what a relying party \
      would look at, of one. An issue whose successor is overdue is shown as well. Lines are cut where \
      the terminal, or $COLUMNS, ends.
      """,
      """
      Exit codes: 0 the metadata are shown, 1 a file cannot be read, 2 the command line is not understood, 7 the metadata \
      are refused, or there is no such model.
      """,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(name: "--aaguid", value: .init(name: "AAGUID"), help: "tell all about this model")
    ] + MetadataFile.trustOptions + [
      OptionSpecification(name: "--json", help: "print a line of JSON for each model, with its whole entry"),
      .help,
    ],
    examples: [
      .init(command: "passkey mds show blob.jwt", meaning: "what there is"),
      .init(
        command: "passkey mds show --aaguid cb69481e-8ff7-4039-93ec-0a2729a154a8 blob.jwt",
        meaning: "anchors, firmware and history of one"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let aaguid = try aaguid(arguments)
    let blob = try MetadataFile.blob(arguments, expiry: .used)
    let report = MetadataReport(time: try arguments.time("--time") ?? Clock.now)
    guard let aaguid else { return try report.write(blob.entries, asJSON: arguments.has("--json")) }
    guard let entry = blob[aaguid] else {
      throw .verificationFailed("the metadata know no model \(aaguid)", hint: "passkey mds find looks by name")
    }
    try report.write(entry, asJSON: arguments.has("--json"))
  }

  private static func aaguid(_ arguments: ParsedArguments) throws(CommandFailure) -> AAGUID? {
    guard let text = arguments["--aaguid"] else { return nil }
    guard let aaguid = AAGUID(uuid: text) else {
      throw .usage(
        "--aaguid cannot be \(text.quotedForTerminal)", hint: "it is written cb69481e-8ff7-4039-93ec-0a2729a154a8")
    }
    return aaguid
  }
}

extension MetadataReport {
  /// Writes one line per model.
  func write(_ entries: [MetadataEntry], asJSON: Bool) throws(CommandFailure) {
    if asJSON {
      try Output.write(entries.flatMap(json))
    } else {
      try Output.write(table(of: entries, width: TerminalWidth.columns(of: .standardOutput)))
    }
  }

  /// Writes all details of one model.
  func write(_ entry: MetadataEntry, asJSON: Bool) throws(CommandFailure) {
    if asJSON { try Output.write(json(of: entry)) } else { try Output.write(details(of: entry)) }
  }
}
