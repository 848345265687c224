// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// The device that a command uses for its ceremonies: a vault in this process, a program, or a device behind a socket.
struct DeviceSource {
  let authenticator: WatchedDevice

  /// Whether the passkeys are in a local vault, so that device failures are vault failures.
  private var isVault: Bool { authenticator.vault != nil }

  /// The device options of every command that runs a ceremony.
  static let options = [device, yes, .vaultCost] + VaultLocation.options + DeviceOptions.options

  /// The device options of commands that sign in only if no session is stored.
  static let optionsForSignIn = [device, yes] + VaultLocation.options

  /// The device options of commands that only read the vault.
  static let optionsForLooking = [device] + VaultLocation.options

  private static let device = OptionSpecification(
    name: "--device", value: .init(name: "COMMAND|unix:PATH"),
    help: "use a device instead of the vault: a command that exchanges frames on its standard streams, or a Unix socket"
  )

  private static let yes = OptionSpecification(
    name: "--yes", help: "answer all questions of the vault's device and of this program with yes")

  /// Connects the device. If the vault is missing, `makesVault` creates it, and its device accepts the owner's
  /// confirmation as user verification. A caller that asks the user before the device would passes the answer in
  /// `confirmation`.
  init(
    _ arguments: ParsedArguments, makesVault: Bool = false, confirmation: ConfirmedInteraction.Answer? = nil
  ) throws(CommandFailure) {
    guard let device = arguments["--device"] else {
      let user = try Self.interaction(arguments)
      authenticator = try Self.vaultDevice(
        arguments, makesVault: makesVault,
        confirmation.map { (answer) in ConfirmedInteraction(answer: answer, otherwise: user) } ?? user)
      return
    }
    try Self.requireNothingOfVaults(arguments)
    do throws(ClientError) {
      authenticator = WatchedDevice(try Self.connect(device), vault: nil)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Returns whether the device is a vault that does not exist yet.
  static func wantsNewVault(_ arguments: ParsedArguments) throws(CommandFailure) -> Bool {
    guard !arguments.has("--device") else { return false }
    return try !VaultLocation(arguments).isThere
  }

  /// Throws if a new vault's device could not ask its user, or if the command line has invalid device options.
  static func requireUser(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try DeviceOptions(arguments)
    _ = try interaction(arguments)
    try Passphrase.requireSource(arguments)
  }

  /// Describes a failed ceremony with this device.
  func failure(_ error: ClientError) -> CommandFailure {
    guard isVault, error.code == .authenticatorFailed else { return CommandFailure(error) }
    // A vault that fails under its device reports its own error message.
    return .vault((error.detail ?? "the vault's device failed").escapedForTerminal)
  }

  private static func connect(_ device: String) throws(ClientError) -> FrameAuthenticator {
    let socket = "unix:"
    guard device.hasPrefix(socket) else {
      // Run by a shell, so that arguments with spaces can be quoted.
      return try FrameAuthenticator(command: ["/bin/sh", "-c", device])
    }
    return try FrameAuthenticator(unixSocket: String(device.dropFirst(socket.count)))
  }

  private static func vaultDevice(
    _ arguments: ParsedArguments, makesVault: Bool, _ interaction: any UserInteraction
  ) throws(CommandFailure) -> WatchedDevice {
    let profile = try DeviceOptions(arguments).profile
    let location = try VaultLocation(arguments)
    let vault = try makesVault ? location.openOrMake(cost: cost(arguments)) : location.open()
    if profile.hasFingerprintSensor { try enrollOwner(in: vault) }
    do throws(CryptoError) {
      let device = try SoftwareAuthenticator(
        vault: vault, profile: profile, interaction: interaction, clock: SystemClock())
      return WatchedDevice(device, vault: vault)
    } catch {
      throw .inputOutput("cannot create the device: \(error)")
    }
  }

  /// Enrolls the owner. A user who can open the vault knows its passphrase, so their confirmation counts as user
  /// verification. Setting a PIN removes this enrollment.
  private static func enrollOwner(in vault: FileVault) throws(CommandFailure) {
    do throws(CTAPError) {
      try VaultOwner(of: vault).enrollOwner()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func cost(_ arguments: ParsedArguments) -> VaultCost {
    arguments["--vault-cost"] == "test" ? .test : .standard
  }

  private static func interaction(_ arguments: ParsedArguments) throws(CommandFailure) -> any UserInteraction {
    if arguments.has("--yes") { return AutomaticInteraction.always() }
    guard let terminal = TerminalInteraction() else {
      throw .refused(
        "there is no terminal to ask for confirmation", hint: "use --yes to confirm")
    }
    return terminal
  }

  private static func requireNothingOfVaults(_ arguments: ParsedArguments) throws(CommandFailure) {
    for option in VaultLocation.options + DeviceOptions.options where arguments.has(option.name) {
      throw .usage(
        "\(option.name) cannot be combined with --device", hint: "this option applies to the vault's device")
    }
  }
}
