// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey-server audit prove ID`
enum AuditProveCommand: Command {
  private static let output = Option("--output", "FILE", help: "write to this new file (standard output)")

  static let specification = CommandSpecification(
    name: "audit prove",
    summary: "write a proof that the transparency log has a record",
    arguments: "[OPTION…] ID",
    discussion: [
      """
      ID is the number of a record, or its ID in hexadecimal. The proof contains the record and its personal details, and \
      verifies offline with passkey audit-proof and the key of audit key.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: Setting.storeOptions + [output, .help],
    examples: [
      .init(command: "passkey-server audit prove 4711 --output record.tlog-proof", meaning: "prove record 4711")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let text = arguments.positionals[0]
    guard let record = AuditRecordReference(text) else {
      throw .usage("the record cannot be \(text.quotedForTerminal)", hint: "give a number or 32 hexadecimal digits")
    }
    let path = arguments[output] ?? "-"
    try OutputFile.demandNew(path)
    let proof = try Console.use(arguments, for: .reading(withSecret: false)) { (store, _) async throws(ServiceError) in
      try await store.service.auditProof(of: record)
    }
    try OutputFile.write(proof.bytes, to: path)
  }
}
