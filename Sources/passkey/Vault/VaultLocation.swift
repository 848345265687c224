// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WireFormats

/// The vault of a command: its path and how to open it.
struct VaultLocation {
  let path: String
  private let arguments: ParsedArguments
  private let isNamed: Bool

  static let variable = "PASSKEY_VAULT"

  /// The vault options of every command that uses a vault.
  static let options =
    [
      OptionSpecification(
        name: "--vault", value: .init(name: "FILE"),
        help:
          "the vault with the passkeys ($PASSKEY_VAULT, or passkey/vault in $XDG_DATA_HOME or ~/.local/share)")
    ] + Passphrase.options + [
      OptionSpecification(
        name: "--accept-rollback", help: "accept a vault file that is older than the one last used here")
    ]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    self.arguments = arguments
    isNamed = arguments.has("--vault") || Environment.value(Self.variable) != nil
    if let named = arguments["--vault"] ?? Environment.value(Self.variable) {
      path = named
    } else {
      path = try Self.usualFolder() + "/vault"
    }
  }

  /// Opens an existing vault. Uses the agent's key, unless an option gives the passphrase.
  func open(usingAgent usesAgent: Bool = true) throws(CommandFailure) -> FileVault {
    guard isThere else { throw CommandFailure(VaultError.missing(path)) }
    if usesAgent, !Passphrase.isGiven(arguments), let key = AgentClient.key(ofVaultAt: path) {
      return try opened { [rollbackGuard] () throws(VaultError) in
        try FileVault.open(at: path, key: key, rollbackGuard: rollbackGuard)
      }
    }
    let passphrase = try Passphrase.read(arguments, for: path, isNew: false)
    return try opened { [rollbackGuard] () throws(VaultError) in
      try FileVault.open(at: path, passphrase: passphrase, rollbackGuard: rollbackGuard)
    }
  }

  /// Opens the vault and reports warnings to its owner.
  private func opened(_ body: () throws(VaultError) -> FileVault) throws(CommandFailure) -> FileVault {
    let vault = try told(body)
    if vault.isReadableByOthers {
      Diagnostics.passkey.note(
        "other users may read the vault \(path.quotedForTerminal) and guess its passphrase: prevent that with chmod 600"
      )
    }
    let wrong = vault.takeWrongPassphraseCount()
    if wrong > 0 {
      Diagnostics.passkey.note(
        "\(wrong) wrong passphrase\(wrong == 1 ? " was" : "s were") tried since the vault was last opened")
    }
    return vault
  }

  /// Opens the vault. Creates it if the file is missing.
  func openOrMake(cost: VaultCost) throws(CommandFailure) -> FileVault {
    guard !isThere else { return try open() }
    let passphrase = try Passphrase.read(arguments, for: path, isNew: true)
    if !isNamed { Self.makeFolders(try Self.usualFolder()) }
    let state = try DeviceState.factoryForCommand(random: .system)
    return try told { () throws(VaultError) in
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

  /// Records the vault's changes in the state folder, to detect rollback.
  private var rollbackGuard: RollbackGuard? {
    StateFolder.path(of: Program.passkey.name).map { (folder) in
      RollbackGuard(folder: folder + "/vaults", acceptingRollback: arguments.has("--accept-rollback"))
    }
  }

  /// Whether the vault exists. If it cannot be checked, the result is true, so that opening it reports the reason.
  var isThere: Bool { unsafe access(path, F_OK) == 0 || errno != ENOENT }

  private func told<Value>(_ body: () throws(VaultError) -> Value) throws(CommandFailure) -> Value {
    do throws(VaultError) {
      return try body()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func usualFolder() throws(CommandFailure) -> String {
    if let data = unsafe getenv("XDG_DATA_HOME"), unsafe data.pointee != 0 {
      return unsafe String(cString: data) + "/passkey"
    }
    guard let home = unsafe getenv("HOME") else {
      throw .usage("HOME is not set, so the vault cannot be found", hint: "name it with --vault")
    }
    return unsafe String(cString: home) + "/.local/share/passkey"
  }

  /// Creates the folders of the default path, accessible to the owner only. Errors surface when the vault is written.
  private static func makeFolders(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      unsafe mkdir(made, 0o700)
    }
  }
}

extension DeviceState {
  /// Creates the state of a new device.
  static func factoryForCommand(random: RandomSource) throws(CommandFailure) -> DeviceState {
    do throws(CryptoError) {
      return try factory(random: random)
    } catch {
      throw .vault("cannot create a vault, because the system's random generator failed: \(error)")
    }
  }
}

extension OptionSpecification {
  static let vaultCost = Self(
    name: "--vault-cost", value: .init(name: "COST", choices: ["standard", "test"]),
    help: "key derivation cost of a new vault's passphrase")
}
