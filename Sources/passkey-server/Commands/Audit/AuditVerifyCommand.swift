// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// `passkey-server audit verify`
enum AuditVerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "audit verify",
    summary: "verify the chain of audit records",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies each record, the chain, and the seal of its end, which needs the secret. Prints the end of the chain as \
      NUMBER:HASH. Pass it to a later verification with --end to detect an older copy of the database.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [
      OptionSpecification(
        name: "--end", value: .init(name: "NUMBER:HASH"),
        help: "fail unless the chain contains this end, printed by an earlier run"),
      OptionSpecification(
        name: "--log", value: .init(name: "FILE"),
        help: "fail unless the chain contains the newest end in this audit log"),
      OptionSpecification(
        name: "--no-seal", help: "skip the seal, for a copy of the database without the secret"),
      .json, .help,
    ],
    examples: [
      .init(command: "passkey-server audit verify >end", meaning: "save the end outside the database server"),
      .init(command: "passkey-server audit verify --end \"$(cat end)\"", meaning: "verify against the saved end"),
      .init(
        command: "passkey-server audit verify --log /var/log/passkey-server/audit.log",
        meaning: "compare with the ends that the server logged"),
    ])

  struct Options: CommandArguments {
    fileprivate let settings: SettingOptions
    /// A head from the command line or a log that the chain must contain.
    fileprivate let knownHead: AuditHead?
    fileprivate let checksSeal: Bool
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      settings = SettingOptions(arguments)
      checksSeal = !arguments.has("--no-seal")
      asJSON = arguments.asksForJSON
      switch (arguments["--end"], arguments["--log"]) {
      case (nil, nil): knownHead = nil
      case (let end?, nil): knownHead = try AuditVerifyCommand.end(end)
      case (nil, let path?): knownHead = try AuditVerifyCommand.newestHead(inLog: path)
      case (_?, _?): throw .usage("--end and --log cannot be combined", hint: "omit one of the two")
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let (known, checksSeal) = (options.knownHead, options.checksSeal)
    let head = try Console.use(options.settings, for: checksSeal ? .verifying : .reading) {
      (store, _) async throws(ServiceError) in
      try await store.service.verifyAudit(knownHead: known, checksSeal: checksSeal)
    }
    guard !options.asJSON else {
      return try Output.writeObject { (object) in
        head.write(to: &object)
        object.write("sealed", .bool(checksSeal))
      }
    }
    let seal = checksSeal ? ", sealed with the secret" : "; the seal was not checked"
    Diagnostics.server.note("\(head.sequence) records form an unbroken chain\(seal)")
    try Output.write("\(head.sequence):\(Hex.encode(head.hash))\n")
  }

  private static func newestHead(inLog path: String) throws(CommandFailure) -> AuditHead {
    let lines = try InputFile.bytes(path, limit: maximumLogByteCount).split(separator: UInt8(ascii: "\n"))
    let heads = lines.compactMap { AuditJSON.head(in: $0) }
    guard let newest = heads.max(by: { $0.sequence < $1.sequence }) else {
      throw .inputOutput(
        "\(path.quotedForTerminal) contains no end of the trail", hint: "--log takes a file written by --audit-log")
    }
    return newest
  }

  // 1 GiB [some millions of records; a rotated log is smaller]
  private static let maximumLogByteCount = 1 << 30

  private static func end(_ text: String) throws(CommandFailure) -> AuditHead {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let sequence = Int64(parts[0]), let hash = try? Hex.decode(parts[1]), hash.count == 32
    else {
      throw .usage("--end cannot be \(text.quotedForTerminal)", hint: "use NUMBER:HASH as printed by audit verify")
    }
    return AuditHead(sequence: sequence, hash: hash)
  }
}

extension AuditHead {
  /// Writes the members of a JSON object.
  func write(to object: inout JSONObjectWriter) {
    object.write("number", .integer(sequence))
    object.write("hash", .string(Hex.encode(hash)))
  }
}
