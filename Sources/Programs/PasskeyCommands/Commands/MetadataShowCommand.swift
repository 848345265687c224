// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnTypes

/// `passkey mds show BLOB`
enum MetadataShowCommand: Command {
  private static let model = Option("--aaguid", "AAGUID", help: "show this model in detail")

  static let specification = CommandSpecification(
    name: "mds show",
    summary: "list all authenticator models, or show one in detail",
    arguments: "[OPTION…] BLOB|-",
    discussion: [
      """
      Prints a line for each model: its identifier, status and name. With --aaguid, shows what a relying party would \
      check for one model. Works with outdated metadata too. Lines are cut at the width of the terminal or $COLUMNS.
      """,
      """
      Exit codes: 0 the metadata are shown, 1 a file cannot be read, 2 invalid usage, 7 the metadata are invalid, or \
      there is no such model.
      """,
    ],
    positionalCount: 1...1,
    options: [model] + MetadataFile.trustOptions + [.jsonLines, .help],
    examples: [
      .init(command: "passkey mds show blob.jwt", meaning: "list all models"),
      .init(
        command: "passkey mds show --aaguid cb69481e-8ff7-4039-93ec-0a2729a154a8 blob.jwt",
        meaning: "show trust anchors, firmware and history of one model"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let aaguid = try aaguid(arguments)
    let file = try MetadataFile(arguments)
    let blob = try file.blob(expiry: .used)
    let report = MetadataReport(at: file.time)
    guard let aaguid else { return try report.write(blob.entries, asJSON: arguments.asksForJSON) }
    guard let entry = blob[aaguid] else {
      throw .verificationFailed(
        "the metadata have no model with AAGUID \(aaguid)", hint: "search by name with passkey mds find")
    }
    try report.write(entry, asJSON: arguments.asksForJSON)
  }

  private static func aaguid(_ arguments: ParsedArguments) throws(CommandFailure) -> AAGUID? {
    guard let text = arguments[model] else { return nil }
    guard let aaguid = AAGUID(uuid: text) else {
      throw .usage(
        "invalid AAGUID \(text.quotedForTerminal)", hint: "an AAGUID looks like cb69481e-8ff7-4039-93ec-0a2729a154a8")
    }
    return aaguid
  }
}

extension MetadataReport {
  /// Writes one line per model.
  func write(_ entries: [MetadataBlob.Entry], asJSON: Bool) throws(CommandFailure) {
    if asJSON {
      try Output.write(entries.flatMap(json))
    } else {
      let width = TerminalWidth.columns(of: .standardOutput)
      try Output.write(TextTable(rows: rows(of: entries, isShort: width != nil), width: width).text)
    }
  }

  /// Writes all details of one model.
  func write(_ entry: MetadataBlob.Entry, asJSON: Bool) throws(CommandFailure) {
    if asJSON { try Output.write(json(of: entry)) } else { try Output.write(details(of: entry)) }
  }
}
