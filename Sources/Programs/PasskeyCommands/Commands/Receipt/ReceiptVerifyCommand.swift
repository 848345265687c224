// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey receipt verify FILE`
enum ReceiptVerifyCommand: Command {
  private static let relyingPartyID = Option("--rp-id", "DOMAIN", help: "the RP ID of the server, such as raxx.app")
  private static let passkey = Option<[String]>(
    "--public-key", "KEY", help: "accept this passkey only, as passkey receipt show prints its public key")

  static let specification = CommandSpecification(
    name: "receipt verify",
    summary: "verify a receipt offline",
    arguments: "[OPTION…] --rp-id DOMAIN FILE|- [METHOD /PATH]",
    discussion: [
      """
      Verifies that a passkey of this RP ID signed exactly the action in the receipt, that its user was verified, and that \
      the log of the server has the confirmation. With METHOD and PATH, and the body in --data, also that it is this action.
      """,
      """
      The RP ID, the key and the policy must come from a source that you trust, not from the sender of the receipt. Without \
      --public-key the server's log alone vouches for whose passkey it was.
      """,
      """
      The time is that of the server's log. Nothing proves which words a page showed, nor that the action was carried out.
      """,
      """
      Exit codes: 0 verified, 1 a file cannot be read, 2 invalid usage, 7 the receipt is invalid, or for something else.
      """,
    ],
    positionalCount: 1...3,
    options: [relyingPartyID] + LogPolicyOptions.options + [passkey, RequestArguments.bodyOption, .json, .help],
    examples: [
      .init(
        command: "passkey receipt verify --rp-id raxx.app --key \"$(cat log.vkey)\" order.receipt",
        meaning: "verify a receipt, and show what was confirmed"),
      .init(
        command:
          "passkey receipt verify --rp-id raxx.app --policy witnesses --data @order.json order.receipt POST /api/orders",
        meaning: "also require this order, and cosignatures of witnesses"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let expected = arguments[relyingPartyID] else {
      throw .usage("receipt verify needs --rp-id", hint: "give the RP ID whose users you trust, such as raxx.app")
    }
    let policy = ReceiptPolicy(
      relyingPartyID: expected, log: try LogPolicyOptions.policy(arguments, of: specification.name),
      publicKeys: try arguments[passkey].map { (text) throws(CommandFailure) in try key(text) },
      action: try action(arguments))
    let file = try ReceiptFile(arguments.positionals[0])
    let verified = try mapError(file.receipt.verify(by: policy)) { (error: ReceiptError) in file.failure(error) }
    try report(of: verified, file, asJSON: arguments.asksForJSON).write()
  }

  private static func key(_ text: String) throws(CommandFailure) -> Bytes {
    do throws(WireError) {
      return try Base64URL.decode(text)[...]
    } catch {
      throw .usage(
        "--public-key cannot be \(text.quotedForTerminal)", hint: "give the key that passkey receipt show prints")
    }
  }

  private static func action(_ arguments: ParsedArguments) throws(CommandFailure) -> ProtectedAction? {
    let words = arguments.positionals.dropFirst()
    guard let method = words.first, let path = words.dropFirst().first else {
      guard words.isEmpty, arguments[RequestArguments.bodyOption] == nil else {
        throw .usage("an action has a method and a path", hint: "write both after the file, as in POST /api/orders")
      }
      return nil
    }
    return ProtectedAction(
      method: try RequestArguments.method(method), path: try RequestArguments.path(path),
      body: try RequestArguments.body(arguments[RequestArguments.bodyOption]))
  }

  private static func report(of verified: VerifiedReceipt, _ file: ReceiptFile, asJSON: Bool) -> Report {
    var report = Report(asJSON: asJSON)
    let checkpoint = verified.checkpoint.checkpoint
    file.add(to: &report)
    report.add("origin", verified.origin)
    ReceiptFile.add(verified.record, to: &report)
    report.add("log", checkpoint.origin)
    report.add("entry", "\(verified.receipt.inclusion.index), in a log with \(checkpoint.size)")
    let witnesses = verified.checkpoint.cosigned.map { (witness) in
      witness.time.map { (time) in "\(witness.key.name) at \(time)" } ?? witness.key.name
    }
    report.add("cosigned by", witnesses.isEmpty ? "no known witness" : witnesses.joined(separator: ", "))
    report.add("verified", "the verified user of this passkey confirmed exactly this action")
    return report
  }
}
