// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes

/// The device with which a command does its ceremonies: a vault in this process, a program, or one behind a socket.
struct DeviceSource {
  let authenticator: any Authenticator

  /// Whether its passkeys are in a vault of ours, so that what fails is the vault.
  let isVault: Bool

  /// The options with which every such command takes a device.
  static let options =
    [
      OptionSpecification(
        name: "--device", value: .init(name: "COMMAND|unix:PATH"),
        help: "a device in place of the vault: a command that speaks frames on its standard streams, or a Unix socket"),
      OptionSpecification(name: "--yes", help: "touch the vault's device without asking"),
    ] + VaultLocation.options + DeviceOptions.options

  /// Plugs the device in. A vault that is not there is made where `makesVault` says so.
  init(_ arguments: ParsedArguments, makesVault: Bool = false) throws(CommandFailure) {
    guard let device = arguments["--device"] else {
      authenticator = try Self.vaultDevice(arguments, makesVault: makesVault)
      isVault = true
      return
    }
    try Self.requireNothingOfVaults(arguments)
    do throws(ClientError) {
      authenticator = try Self.connect(device)
    } catch {
      throw CommandFailure(error)
    }
    isVault = false
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
    _ arguments: ParsedArguments, makesVault: Bool
  ) throws(CommandFailure) -> SoftwareAuthenticator {
    let profile = try DeviceOptions(arguments).profile
    let interaction = try interaction(arguments)
    let location = try VaultLocation(arguments)
    let vault = try makesVault ? location.openOrMake(cost: .standard) : location.open()
    do throws(CryptoError) {
      return try SoftwareAuthenticator(
        vault: vault, profile: profile, interaction: interaction, clock: SystemClock())
    } catch {
      throw .inputOutput("the device cannot be made: \(error)")
    }
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
