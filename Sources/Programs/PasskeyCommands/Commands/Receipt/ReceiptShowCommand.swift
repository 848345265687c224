// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// `passkey receipt show FILE`
enum ReceiptShowCommand: Command {
  static let specification = CommandSpecification(
    name: "receipt show",
    summary: "show a receipt without verifying it",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      Shows what the receipt says, and the public key for passkey receipt verify --public-key. Anyone can write a file that \
      says so.
      """,
      "Exit codes: 0 shown, 1 the file cannot be read, 2 invalid usage, 7 the file is not a receipt.",
    ],
    positionalCount: 1...1,
    options: [.json, .help],
    examples: [.init(command: "passkey receipt show order.receipt", meaning: "show what was confirmed")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let file = try ReceiptFile(arguments.positionals[0])
    var report = Report(asJSON: arguments.asksForJSON)
    file.add(to: &report)
    if let record = try? AuditRecord(parsing: file.receipt.record) { ReceiptFile.add(record, to: &report) }
    if let checkpoint = try? Checkpoint(parsing: file.receipt.checkpoint.text) {
      report.add("log", checkpoint.origin)
      report.add("entry", "\(file.receipt.inclusion.index), in a log with \(checkpoint.size)")
    }
    report.add("verified", "nothing: use passkey receipt verify")
    try report.write()
  }
}
