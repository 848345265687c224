// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// An open vault, for the commands that manage it.
struct OwnedVault {
  let file: FileVault
  private let owner: VaultOwner

  static let yes = Option("--yes", help: "skip the confirmation")

  /// The help paragraph about the exit codes of the vault commands.
  static let exitCodes = """
    Exit codes: 0 done, 1 a file cannot be read or written, 2 invalid usage, 5 refused: no such passkey, not allowed, \
    or no terminal to ask at, 6 the vault cannot be opened, 130 cancelled with Ctrl-C.
    """

  init(_ location: VaultLocation) throws(CommandFailure) {
    file = try location.open()
    owner = VaultOwner(of: file)
  }

  func passkeys() throws(CommandFailure) -> [StoredPasskey] {
    try perform { (owner) throws(CTAPError) in try owner.passkeys() }
  }

  /// Returns the only passkey whose ID begins with this text. Throws unless exactly one matches.
  func passkey(_ beginning: String) throws(CommandFailure) -> StoredPasskey {
    let found = try passkeys().filter { (passkey) in passkey.id.description.hasPrefix(beginning) }
    guard let passkey = found.first else {
      throw .refused(
        "no passkey's id begins with \(beginning.quotedForTerminal)", hint: "list the ids with passkey keys list")
    }
    guard found.count == 1 else {
      throw .refused(
        "\(found.count) passkey ids begin with \(beginning.quotedForTerminal)", hint: "give more characters of the id")
    }
    return passkey
  }

  /// Runs an owner's operation. `refusal` may replace the message for some errors.
  func perform<Value>(
    refusing refusal: (CTAPError) -> CommandFailure? = { _ in nil }, _ body: (VaultOwner) throws(CTAPError) -> Value
  ) throws(CommandFailure) -> Value {
    try mapError(body(owner)) { (error: CTAPError) in
      refusal(error) ?? (error.cause as? VaultError).map(CommandFailure.init) ?? CommandFailure(error)
    }
  }
}

extension OwnedVault {
  /// Asks for confirmation before an irreversible act.
  static func confirm(_ act: String) throws(CommandFailure) {
    guard let terminal = Terminal() else {
      throw .refused(
        "cannot \(act): this cannot be undone, and there is no terminal to ask at", hint: "use --yes to confirm")
    }
    guard try terminal.confirm("\(act)? This cannot be undone.") else { throw .refused("nothing was changed") }
  }
}
