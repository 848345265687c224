// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// The device with which a command does its ceremonies: a vault in this process, a program, or one behind a socket.
struct DeviceSource {
  let authenticator: WatchedDevice

  /// Whether its passkeys are in a vault of ours, so that what fails is the vault.
  private var isVault: Bool { authenticator.vault != nil }

  /// The options with which every such command takes a device.
  static let options = [device, yes, .vaultCost] + VaultLocation.options + DeviceOptions.options

  /// The options of a command that signs in at most, and only where no session is kept.
  static let optionsForSignIn = [device, yes] + VaultLocation.options

  /// The options of a command that looks at where the passkeys are, and asks nothing of them.
  static let optionsForLooking = [device] + VaultLocation.options

  private static let device = OptionSpecification(
    name: "--device", value: .init(name: "COMMAND|unix:PATH"),
    help: "a device in place of the vault: a command that speaks frames on its standard streams, or a Unix socket")

  private static let yes = OptionSpecification(
    name: "--yes", help: "say yes to whatever the vault's device, or this program, would ask")

  /// Plugs the device in. A vault that is not there is made where `makesVault` says so, and its device takes its owner's yes
  /// for user verification. Whoever asks the user before the device would, says so in `confirmation`.
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

  /// Whether the device is a vault that is still to be made.
  static func wantsNewVault(_ arguments: ParsedArguments) throws(CommandFailure) -> Bool {
    guard !arguments.has("--device") else { return false }
    return try !VaultLocation(arguments).isThere
  }

  /// Fails where a new vault's device would have nobody to ask, or the command line says what it cannot be.
  static func requireUser(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try DeviceOptions(arguments)
    _ = try interaction(arguments)
    try Passphrase.requireSource(arguments)
  }

  /// What to tell when a ceremony with the device fails.
  func failure(_ error: ClientError) -> CommandFailure {
    guard isVault, error.code == .authenticatorFailed else { return CommandFailure(error) }
    // A vault that fails under a device leaves its own words.
    return .vault((error.detail ?? "the vault's device failed").escapedForTerminal)
  }

  private static func connect(_ device: String) throws(ClientError) -> FrameAuthenticator {
    let socket = "unix:"
    guard device.hasPrefix(socket) else {
      // A shell's words, so that names with spaces in them can be quoted.
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
      throw .inputOutput("the device cannot be made: \(error)")
    }
  }

  /// Whoever opens the vault has its passphrase, and is its user: their yes verifies them, until they set a PIN to do that
  /// with, by which the sensor forgets them.
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
        "nobody can confirm it: there is no terminal to ask at", hint: "--yes says that it is meant")
    }
    return terminal
  }

  private static func requireNothingOfVaults(_ arguments: ParsedArguments) throws(CommandFailure) {
    for option in VaultLocation.options + DeviceOptions.options where arguments.has(option.name) {
      throw .usage(
        "\(option.name) does not go with --device", hint: "it is for the device that this program is itself")
    }
  }
}
