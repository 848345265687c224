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
      "Prints the chain's end, NUMBER:HASH. Given back with --end later, it shows that nothing before it changed.",
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--end", value: .init(name: "NUMBER:HASH"),
        help: "an end that was printed before; it must be on the chain"),
      .help,
    ],
    examples: [
      .init(command: "passkey-server audit verify >end", meaning: "keep the end where nobody has the database"),
      .init(command: "passkey-server audit verify --end \"$(cat end)\"", meaning: "later"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let known: AuditHead? = if let text = arguments["--end"] { try end(text) } else { nil }
    let head = try Console.use(arguments, for: .reading) { (store, _) async throws(ServiceError) in
      try await store.service.verifyAudit(knownHead: known)
    }
    Diagnostics.server.note("\(head.sequence) records, each after the one before it")
    try Output.write("\(head.sequence):\(Hex.encode(head.hash))\n")
  }

  private static func end(_ text: String) throws(CommandFailure) -> AuditHead {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let sequence = Int64(parts[0]), let hash = try? Hex.decode(parts[1]), hash.count == 32
    else {
      throw .usage("--end cannot be \(text.quotedForTerminal)", hint: "it is what audit verify printed, NUMBER:HASH")
    }
    return AuditHead(sequence: sequence, hash: hash)
  }
}
