// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey receipt update FILE`
enum ReceiptUpdateCommand: Command {
  private static let proof = Option(
    "--proof", "FILE", help: "a later proof of the record, such as one with cosignatures of witnesses")

  static let specification = CommandSpecification(
    name: "receipt update",
    summary: "put a later proof or the body of the action into a receipt",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      Prints the receipt with another proof of the same record, or with the body of the action in place of its hash. The \
      export of an account has a proof of each of its records, as the member proof. passkey-server audit prove writes one, too.
      """,
      """
      Exit codes: 0 done, 1 a file cannot be read, 2 invalid usage, 7 the file is not a receipt, or the proof or the body is \
      of another action.
      """,
    ],
    positionalCount: 1...1,
    options: [proof, RequestArguments.bodyOption, .help],
    examples: [
      .init(
        command: "passkey receipt update --proof record.tlog-proof order.receipt >witnessed.receipt",
        meaning: "replace the proof of a receipt"),
      .init(
        command: "passkey receipt update --data @order.json order.receipt >readable.receipt",
        meaning: "let readers of the receipt see the order"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard arguments[proof] != nil || arguments[RequestArguments.bodyOption] != nil else {
      throw .usage("receipt update needs --proof or --data", hint: "passkey help receipt update has examples")
    }
    let file = try ReceiptFile(arguments.positionals[0])
    var receipt = file.receipt
    if let path = arguments[proof] {
      let bytes = try InputFile.bytes(path, limit: LogProof.maximumByteCount)
      let proof = try mapError(LogProof(parsing: bytes)) { (error: TransparencyLogError) in
        CommandFailure.verificationFailed("\(InputFile.name(path)): \("\(error)".escapedForTerminal)")
          .coded(error.code.rawValue)
      }
      receipt = try mapError(receipt.proven(by: proof)) { (error: ReceiptError) in file.failure(error) }
    }
    if let text = arguments[RequestArguments.bodyOption] {
      let body = try RequestArguments.body(text)
      receipt = try mapError(receipt.disclosing(body)) { (error: ReceiptError) in file.failure(error) }
    }
    try Output.write(receipt.encoded)
  }
}
