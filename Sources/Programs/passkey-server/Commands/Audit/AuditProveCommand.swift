// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey-server audit prove ID`
enum AuditProveCommand: Command {
  static let specification = CommandSpecification(
    name: "audit prove",
    summary: "write a proof that the transparency log has a record",
    arguments: "[OPTION…] ID",
    discussion: [
      """
      ID is the number of a record, or its ID in hexadecimal. The proof contains the record and its personal details, and \
      verifies offline with passkey audit-proof and the key of audit key. Records of the chain before the log have no \
      proofs: audit verify covers them.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"), help: "write to this new file (standard output)"),
      .help,
    ],
    examples: [
      .init(command: "passkey-server audit prove 4711 --output record.tlog-proof", meaning: "prove record 4711")
    ])

  struct Options: CommandArguments {
    fileprivate let settings: SettingOptions
    fileprivate let record: AuditRecordReference
    fileprivate let output: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      settings = SettingOptions(arguments)
      output = arguments["--output"] ?? "-"
      let text = arguments.positionals[0]
      guard let record = AuditRecordReference(text) else {
        throw .usage("the record cannot be \(text.quotedForTerminal)", hint: "give a number or 32 hexadecimal digits")
      }
      self.record = record
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let record = options.record
    try OutputFile.demandNew(options.output)
    let proof = try Console.use(options.settings, for: .reading) { (store, _) async throws(ServiceError) in
      try await store.service.auditProof(of: record)
    }
    try OutputFile.write(proof.bytes, to: options.output)
  }
}
