// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyTransparencyLog

/// `passkey audit-proof FILE`
enum AuditProofCommand: Command {
  private static let verifierKey = Option("--key", "VKEY", help: "the verifier key of the log, instead of a policy")
  private static let policyFile = Option("--policy", "FILE", help: "the accepted logs and the required witnesses")
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
    options: [verifierKey, policyFile, entry, .json, .help],
    examples: [
      .init(
        command: "passkey audit-proof --key \"$(cat log.vkey)\" record.tlog-proof",
        meaning: "verify a proof with the key of the log"),
      .init(
        command: "passkey audit-proof --policy witnesses record.tlog-proof",
        meaning: "also require cosignatures of witnesses"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let policy = try policy(arguments)
    let path = arguments.positionals[0]
    let file = try InputFile.bytes(path, limit: LogProof.maximumByteCount)
    let entry = try arguments[Self.entry].map { (path) throws(CommandFailure) in
      try InputFile.bytes(path, limit: EntryBundle.maximumEntryByteCount)
    }
    let result: ProvenRecord
    do throws(TransparencyLogError) {
      result = try ProvenRecord(file[...], entry: entry?[...], policy: policy)
    } catch {
      throw failure(error, InputFile.name(path))
    }
    if arguments.asksForJSON {
      try Output.writeObject(result.write)
    } else {
      try Output.write(result.text)
    }
  }

  private static func policy(_ arguments: ParsedArguments) throws(CommandFailure) -> LogPolicy {
    switch (arguments[verifierKey], arguments[policyFile]) {
    case (let text?, nil): return LogPolicy(logs: [try key(text)])
    case (nil, let path?): return try policy(in: path)
    case (_?, _?): throw .usage("--key and --policy cannot be combined", hint: "omit one of the two")
    case (nil, nil):
      throw .usage("audit-proof needs one of --key and --policy", hint: "ask the operator of the log for its key")
    }
  }

  private static func key(_ text: String) throws(CommandFailure) -> NoteKey {
    try mapError(NoteKey(text)) { (error: TransparencyLogError) in
      CommandFailure.usage(
        "--key cannot be \(text.quotedForTerminal): \(error.detail.escapedForTerminal)",
        hint: "a verifier key has the form NAME+ID+BASE64"
      ).coded(error.code.rawValue)
    }
  }

  private static func policy(in path: String) throws(CommandFailure) -> LogPolicy {
    let file = try InputFile.bytes(path, limit: LogPolicy.maximumByteCount)
    return try mapError(LogPolicy(parsing: file[...])) { (error: TransparencyLogError) in
      CommandFailure.inputOutput("\(InputFile.name(path)) is not a policy: \(error.detail.escapedForTerminal)")
        .coded(error.code.rawValue)
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
