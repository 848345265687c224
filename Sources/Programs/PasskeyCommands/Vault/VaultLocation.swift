// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeyCommandLine
package import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnAuthenticator

/// The vault of a command: its path and how to open it.
package struct VaultLocation: Sendable {
  private let named: String?
  private let passphrase: Passphrase
  private let acceptsRollback: Bool

  package static let variable = "PASSKEY_VAULT"

  /// The path of the vault.
  package static let vault = Option(
    "--vault", "FILE",
    help: "the vault with the passkeys ($PASSKEY_VAULT, or passkey/vault in $XDG_DATA_HOME or ~/.local/share)")
  private static let acceptRollback = Option(
    "--accept-rollback", help: "accept a vault file that is older than the one last used here")

  /// The file with the passphrase.
  package static let passphraseFile = Passphrase.passphraseFile
  /// The descriptor from which the passphrase is read.
  package static let passphraseDescriptor = Passphrase.passphraseDescriptor

  /// The vault options of every command that uses a vault.
  package static let options = [vault] + rareOptions

  /// The vault options that few people need.
  static let rareOptions = Passphrase.options + [acceptRollback]

  /// Reads the options. A `path` replaces that of the vault.
  package init(_ arguments: ParsedArguments, path: String? = nil) throws(CommandFailure) {
    named = path ?? arguments[Self.vault] ?? Environment.value(Self.variable)
    passphrase = try Passphrase(arguments)
    acceptsRollback = arguments[Self.acceptRollback]
  }

  /// The path of the vault. Throws if it is not named and the environment has no folder for it.
  private var path: String {
    get throws(CommandFailure) {
      if let named { return named }
      return try Self.defaultFolder + "/vault"
    }
  }

  // 3  [as login(1) and sudo(8)]
  private static let attempts = 3

  /// Opens an existing vault. Uses the agent's key, unless an option gives the passphrase. A user at a terminal may try
  /// three passphrases.
  package func open(usingAgent usesAgent: Bool = true) throws(CommandFailure) -> FileVault {
    let path = try path
    guard Self.exists(path) else { throw CommandFailure(VaultError.missing(path)) }
    let rollbackGuard = rollbackGuard
    if usesAgent, !passphrase.isGiven, let key = AgentSocket.connect()?.key(ofVaultAt: path) {
      return try opened { () throws(VaultError) in
        try FileVault.open(at: path, key: key, rollbackGuard: rollbackGuard)
      }
    }
    var failures = 0
    while true {
      let typed = try passphrase.read(for: path, isNew: false)
      do throws(CommandFailure) {
        return try opened(after: failures) { () throws(VaultError) in
          try FileVault.open(at: path, passphrase: typed, rollbackGuard: rollbackGuard)
        }
      } catch {
        failures += 1
        guard passphrase.isTyped, error.code == VaultError.Code.wrongPassphrase.rawValue, failures < Self.attempts
        else { throw error }
        Diagnostics.passkey.note("wrong passphrase, try again")
      }
    }
  }

  /// Opens the vault and reports warnings to its owner. `failures` counts the wrong passphrases that the owner has just
  /// typed.
  private func opened(
    after failures: Int = 0, _ body: () throws(VaultError) -> FileVault
  ) throws(CommandFailure) -> FileVault {
    let vault = try mapError(body()) { (error: VaultError) in CommandFailure(error) }
    if vault.isReadableByOthers {
      Diagnostics.passkey.note(
        "other users may read the vault \(vault.path.quotedForTerminal) and guess its passphrase: prevent that with chmod 600"
      )
    }
    let wrong = vault.takeWrongPassphraseCount() - failures
    if wrong > 0 {
      Diagnostics.passkey.note(
        "\(wrong) wrong passphrase\(wrong == 1 ? " was" : "s were") tried since the vault was last opened")
    }
    return vault
  }

  /// Opens the vault. Creates it if the file is missing.
  package func openOrCreate(cost: VaultCost) throws(CommandFailure) -> FileVault {
    let path = try path
    guard !Self.exists(path) else { return try open() }
    let passphrase = try passphrase.read(for: path, isNew: true)
    // An error surfaces when the vault is written.
    if named == nil { try? Folder.create(try Self.defaultFolder) }
    let state = try DeviceState.factoryForCommand(random: .system)
    return try mapError({ CommandFailure($0) }) { [rollbackGuard] () throws(VaultError) in
      do throws(VaultError) {
        return try FileVault.create(
          at: path, passphrase: passphrase, cost: cost, state: state, rollbackGuard: rollbackGuard)
      } catch {
        // Another command has created it in the meantime.
        guard error.code == .exists else { throw error }
        return try FileVault.open(at: path, passphrase: passphrase, rollbackGuard: rollbackGuard)
      }
    }
  }

  /// Throws if there is no source for the passphrase of a new vault, or if its folder cannot be written.
  package func requireCreatable() throws(CommandFailure) {
    let path = try path
    try mapError(FileVault.requireCreatable(at: path)) { (error: VaultError) in CommandFailure(error) }
    try passphrase.requireSource()
  }

  /// Records the vault's changes in the state folder, to detect rollback.
  private var rollbackGuard: RollbackGuard? {
    StateFolder.path(of: Program.passkey.name).map { (folder) in
      RollbackGuard(folder: folder + "/vaults", acceptingRollback: acceptsRollback)
    }
  }

  /// Whether the vault exists.
  package var exists: Bool {
    get throws(CommandFailure) { Self.exists(try path) }
  }

  /// If the file cannot be checked, the result is true, so that opening it reports the reason.
  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 || errno != ENOENT }

  /// The program's folder for the user's data.
  package static var defaultFolder: String {
    get throws(CommandFailure) {
      // The XDG Base Directory Specification says to ignore relative paths.
      if let data = Environment.value("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/passkey" }
      guard let home = Environment.home else {
        throw .usage("\(Environment.homeFault), so the vault cannot be found", hint: "name it with --vault")
      }
      return home + "/.local/share/passkey"
    }
  }
}

extension DeviceState {
  /// Creates the state of a new device.
  package static func factoryForCommand(random: RandomSource) throws(CommandFailure) -> DeviceState {
    try mapError(factory(random: random)) { (error: PasskeyCryptoError) in
      CommandFailure.vault("cannot create a vault, because the system's random generator failed: \(error)")
    }
  }
}

extension VaultCost {
  /// The cost of a new vault.
  package static let option = Option(
    "--vault-cost", "COST", choices: ["standard", "test"], help: "key derivation cost of a new vault's passphrase")

  /// Reads `--vault-cost`.
  package init(_ arguments: ParsedArguments) {
    self = arguments[Self.option] == "test" ? .test : .standard
  }
}
