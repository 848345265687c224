// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyTransparencyLog

/// A receipt from a file, with what the commands print of it.
struct ReceiptFile {
  let receipt: ActionReceipt

  private let name: String

  /// Reads a receipt.
  init(_ path: String) throws(CommandFailure) {
    let name = InputFile.name(path)
    let file = try InputFile.bytes(path, limit: ActionReceipt.maximumByteCount)
    receipt = try mapError(ActionReceipt(parsing: file)) { (error: ReceiptError) in
      Self.failure(error, name)
    }
    self.name = name
  }

  /// Returns the failure of a command with this receipt.
  func failure(_ error: ReceiptError) -> CommandFailure { Self.failure(error, name) }

  private static func failure(_ error: ReceiptError, _ name: String) -> CommandFailure {
    let hint: String? =
      switch error.code {
      case .malformed: "a receipt is one line of JSON without a line break at its end, as the server gave it"
      case .logRefused: "the key or the policy must name the log of the server that gave the receipt"
      default: nil
      }
    return .verificationFailed("\(name): \("\(error)".escapedForTerminal)", hint: hint).coded(error.code.rawValue)
  }

  /// The action and the body.
  func add(to report: inout Report) {
    report.add("action", "\(receipt.action)")
    report.add("body SHA-256", Base64URL.encode(receipt.action.bodyDigest), as: "bodySha256")
    report.add("body", receipt.body.map { (body) in String(decoding: body, as: UTF8.self) })
    report.add("RP ID", receipt.relyingPartyID, as: "rpId")
    report.add("public key", Base64URL.encode(receipt.assertion.publicKey))
  }

  /// The members of the record of the confirmation.
  static func add(_ record: AuditRecord, to report: inout Report) {
    report.add("time", record.time.description)
    report.add("account", record.account.map { (account) in "\(account)" })
    report.add("attestation", record.details[ActionReceipt.attestationName])
  }
}
