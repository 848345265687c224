// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server audit verify`
enum AuditVerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "audit verify",
    summary: "walk the chain from its first record to its last",
    arguments: "[OPTION…]",
    discussion: [
      "Verifies each record, the chain, and the seal of its end, which takes the secret. Prints the chain's end, NUMBER:HASH. Given back with --end later, it shows that the database is not an older copy.",
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--end", value: .init(name: "NUMBER:HASH"),
        help: "an end that was printed before; it must be on the chain"),
      OptionSpecification(
        name: "--log", value: .init(name: "FILE"),
        help: "an audit log; the newest end in it must be on the chain"),
      OptionSpecification(
        name: "--no-seal", help: "do not check the seal, as for a copy of the database without the secret"),
      .help,
    ],
    examples: [
      .init(command: "passkey-server audit verify >end", meaning: "keep the end where nobody has the database"),
      .init(command: "passkey-server audit verify --end \"$(cat end)\"", meaning: "later"),
      .init(
        command: "passkey-server audit verify --log /var/log/passkey-server/audit.log",
        meaning: "against the ends that the server told"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let known = try knownHead(arguments)
    let checksSeal = !arguments.has("--no-seal")
    let head = try Console.use(arguments, for: checksSeal ? .verifying : .reading) {
      (store, _) async throws(ServiceError) in
      try await store.service.verifyAudit(knownHead: known, checksSeal: checksSeal)
    }
    let seal = checksSeal ? ", sealed with the secret" : "; the seal was not checked"
    Diagnostics.server.note("\(head.sequence) records, each after the one before it\(seal)")
    try Output.write("\(head.sequence):\(Hex.encode(head.hash))\n")
  }

  private static func knownHead(_ arguments: ParsedArguments) throws(CommandFailure) -> AuditHead? {
    let known: AuditHead? = if let text = arguments["--end"] { try end(text) } else { nil }
    guard let path = arguments["--log"] else { return known }
    guard known == nil else { throw .usage("--end and --log both name an end", hint: "omit one of the two") }
    let lines = try InputFile.bytes(path, limit: maximumLogByteCount).split(separator: UInt8(ascii: "\n"))
    let heads = lines.compactMap { AuditJSON.head(in: $0) }
    guard let newest = heads.max(by: { $0.sequence < $1.sequence }) else {
      throw .inputOutput(
        "\(path.quotedForTerminal) has no end of the trail", hint: "--log is for what --audit-log wrote")
    }
    return newest
  }

  // 1 GiB [some millions of records; a rotated log is smaller]
  private static let maximumLogByteCount = 1 << 30

  private static func end(_ text: String) throws(CommandFailure) -> AuditHead {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let sequence = Int64(parts[0]), let hash = try? Hex.decode(parts[1]), hash.count == 32
    else {
      throw .usage("--end cannot be \(text.quotedForTerminal)", hint: "it is what audit verify printed, NUMBER:HASH")
    }
    return AuditHead(sequence: sequence, hash: hash)
  }
}
