// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyTransparencyLog

/// `passkey audit-proof FILE`
enum AuditProofCommand: Command {
  private static let entry = Option(
    "--entry", "FILE", help: "the entry of the log, for a proof that does not contain it")

  static let specification = CommandSpecification(
    name: "audit-proof",
    summary: "verify that a log has a record, offline",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      Reads a proof in the form of C2SP tlog-proof. Verifies the signature of the log, the cosignatures of known \
      witnesses, and that the log has the record. Shows the record of an audit trail, and the personal details that \
      match its commitments.
      """,
      """
      The key and the policy must come from a source that you trust, not from the sender of the proof. A policy is a file \
      in the form of C2SP tlog-policy: it names logs, witnesses, and the witnesses that must have cosigned.
      """,
      """
      Exit codes: 0 the log has the record, 1 a file cannot be read, 2 invalid usage, 7 the proof is invalid or does \
      not meet the policy.
      """,
    ],
    positionalCount: 1...1,
    options: LogPolicyOptions.options + [entry, .json, .help],
    examples: [
      .init(
        command: "passkey audit-proof --key \"$(cat log.vkey)\" record.tlog-proof",
        meaning: "verify a proof with the key of the log"),
      .init(
        command: "passkey audit-proof --policy witnesses record.tlog-proof",
        meaning: "also require cosignatures of witnesses"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let policy = try LogPolicyOptions.policy(arguments, of: specification.name)
    let path = arguments.positionals[0]
    let file = try InputFile.bytes(path, limit: LogProof.maximumByteCount)
    let entry = try arguments[Self.entry].map { (path) throws(CommandFailure) in
      try InputFile.bytes(path, limit: EntryBundle.maximumEntryByteCount)
    }
    let result: ProvenRecord
    do throws(TransparencyLogError) {
      result = try ProvenRecord(file, entry: entry, policy: policy)
    } catch {
      throw failure(error, InputFile.name(path))
    }
    if arguments.asksForJSON {
      try Output.writeObject(result.write)
    } else {
      try Output.write(result.text)
    }
  }

  private static func failure(_ error: TransparencyLogError, _ name: String) -> CommandFailure {
    let hint: String? =
      switch error.code {
      case .signatureMissing: "the key or the policy must name the log that the proof comes from"
      case .entryMissing: "give the entry with --entry"
      default: nil
      }
    return CommandFailure.verificationFailed("\(name): \("\(error)".escapedForTerminal)", hint: hint)
      .coded(error.code.rawValue)
  }
}
