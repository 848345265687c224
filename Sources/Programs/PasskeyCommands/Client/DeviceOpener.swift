// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import PasskeyCommandLine
internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeySystem
package import WebAuthnAuthenticator
package import WebAuthnClient
internal import WebAuthnTypes

/// The device of a command, as its options name it.
package struct DeviceChoice: Sendable {
  package enum Device: Sendable {
    /// The device of this process, with the passkeys of a vault.
    case vault(VaultLocation, DeviceOptions, cost: VaultCost)
    /// The device of this process, with passkeys in memory.
    case memory(MemoryDevice)
    /// A program that speaks frames on its standard streams, or a Unix socket after `unix:`.
    case external(String)
  }

  package let device: Device
  /// Whether `--yes` answers the questions of the vault's device.
  package let saysYes: Bool

  /// The device options of every command that runs a ceremony.
  package static let options: [any OptionSpecification] =
    [device, yes, VaultCost.option] + VaultLocation.options + DeviceOptions.options

  /// The device options that few people need.
  static let rareOptions: [any OptionSpecification] =
    [device, VaultCost.option] + VaultLocation.rareOptions + DeviceOptions.options

  /// The device options of commands that sign in only if no session is stored.
  package static let optionsForSignIn: [any OptionSpecification] = [device, yes] + VaultLocation.options

  /// The device options of commands that only read the vault.
  package static let optionsForLooking: [any OptionSpecification] = [device] + VaultLocation.options

  /// Names the device in place of the vault.
  package static let device = Option(
    "--device", "COMMAND|unix:PATH",
    help: "use a device instead of the vault: a command that exchanges frames on its standard streams, or a Unix socket"
  )

  /// Answers all questions.
  package static let yes = Option(
    "--yes", help: "answer all questions of the vault's device and of this program with yes")

  package init(_ arguments: ParsedArguments) throws(CommandFailure) {
    saysYes = arguments[Self.yes]
    guard let external = arguments[Self.device] else {
      guard try !MemoryDevice.isChosen(arguments) else {
        device = .memory(try MemoryDevice(arguments))
        return
      }
      device = .vault(
        try VaultLocation(arguments), try DeviceOptions(arguments),
        cost: VaultCost(arguments))
      return
    }
    let options = VaultLocation.options + DeviceOptions.options + MemoryDevice.optionSpecifications
    for option in options where arguments.has(option) {
      throw .usage(
        "\(option.name) cannot be combined with --device", hint: "this option applies to the vault's device")
    }
    device = .external(external)
  }
}

extension DeviceChoice {
  /// Chooses a vault beside the one of the options, with the same passphrase options.
  init(_ arguments: ParsedArguments, vault path: String) throws(CommandFailure) {
    saysYes = arguments[Self.yes]
    device = .vault(
      try VaultLocation(arguments, path: path), try DeviceOptions(arguments), cost: VaultCost(arguments))
  }

  /// Chooses a device beside the one of the options.
  init(_ arguments: ParsedArguments, external name: String) throws(CommandFailure) {
    saysYes = arguments[Self.yes]
    device = .external(name)
  }
}

/// Opens the device of a command once: a vault in this process, a program, or a device behind a socket.
package final class DeviceOpener: Sendable {
  /// An open device.
  package struct Device: Sendable {
    /// Asks the user for each ceremony.
    let asking: any Authenticator
    /// Takes the user's consent as given, if the passkeys are in a vault.
    let consenting: any Authenticator
    /// The vault with the passkeys; nil for another device.
    let vault: (any Vault)?
  }

  package let choice: DeviceChoice
  private let asker: Asker
  private let state: Locked<State>

  /// The place where the user is asked.
  private enum Asker: Sendable {
    case terminal(CeremonyDescription)
    case other(any UserInteraction)
  }

  private struct State {
    var device: Device?
    var createsVault = false
  }

  /// Creates an opener of a device for one page and user. `device` is the device if it is open already.
  package init(_ choice: DeviceChoice, for ceremony: CeremonyDescription, device: Device? = nil) {
    self.choice = choice
    asker = .terminal(ceremony)
    state = Locked(State(device: device))
  }

  /// Creates an opener of a device whose user is asked elsewhere than at the terminal. A missing vault is created by the
  /// first command.
  package init(_ choice: DeviceChoice, asking interaction: any UserInteraction) {
    self.choice = choice
    asker = .other(interaction)
    state = Locked(State(createsVault: true))
  }

  /// The device, if it is open.
  package var device: Device? { state.withLock { (state) in state.device } }

  /// Opens the device before a ceremony, so that its errors are reported as such.
  ///
  /// If `creatingVault` is true and the vault is missing, only checks that it can be created. The first command of the
  /// ceremony creates it, so that a failure before it leaves no vault.
  package func prepare(creatingVault: Bool) throws(CommandFailure) {
    guard device == nil else { return }
    if creatingVault, case .vault(let location, _, _) = choice.device, try !location.exists {
      _ = try interaction()
      try location.requireCreatable()
      return state.withLock { (state) in state.createsVault = true }
    }
    try open()
  }

  /// Opens the device, unless that was done already. The user may have to type a passphrase.
  @discardableResult
  package func open() throws(CommandFailure) -> Device {
    if let device { return device }
    let opened: Device
    switch choice.device {
    case .external(let name):
      do throws(ClientError) {
        let authenticator = try Self.connect(name)
        opened = Device(asking: authenticator, consenting: authenticator, vault: nil)
      } catch {
        throw CommandFailure(error)
      }
    case .vault(let location, let options, let cost):
      let interaction = try interaction()
      let profile = try options.profile()
      let createsVault = state.withLock { (state) in state.createsVault }
      let vault = try createsVault ? location.openOrCreate(cost: cost) : location.open()
      opened = try Self.device(over: vault, profile, asking: interaction, random: .system)
    case .memory(let memory):
      opened = try Self.device(
        over: memory.vault, try memory.options.profile(), asking: try interaction(), random: memory.random)
    }
    state.withLock { (state) in state.device = opened }
    return opened
  }

  /// Discards a device process that Ctrl-C has also interrupted. The next ceremony starts it again.
  package func closeAfterInterruption() {
    guard case .external(let name) = choice.device, !name.hasPrefix(Self.socketPrefix) else { return }
    state.withLock { (state) in state.device = nil }
  }

  /// Describes a failed ceremony with the open device.
  package func failure(_ error: ClientError) -> CommandFailure {
    guard device?.vault != nil, error.code == .authenticatorFailed else { return CommandFailure(error) }
    if let fault = error.cause as? VaultError { return CommandFailure(fault) }
    // A vault that fails under its device reports its own error message.
    return .vault((error.detail ?? "the vault's device failed").escapedForTerminal)
  }

  private static func device(
    over vault: any Vault, _ profile: AuthenticatorProfile, asking interaction: any UserInteraction,
    random: RandomSource
  ) throws(CommandFailure) -> Device {
    if profile.hasFingerprintSensor { try enrollOwner(in: vault) }
    do throws(PasskeyCryptoError) {
      func device(_ interaction: any UserInteraction) throws(PasskeyCryptoError) -> SoftwareAuthenticator {
        try SoftwareAuthenticator(
          vault: vault, profile: profile, interaction: interaction, random: random, clock: SystemClock())
      }
      return Device(
        asking: try device(interaction), consenting: try device(AutomaticInteraction.always()), vault: vault)
    } catch {
      throw .inputOutput("cannot create the device: \(error)")
    }
  }

  private static let socketPrefix = "unix:"

  private static func connect(_ name: String) throws(ClientError) -> FrameAuthenticator {
    guard name.hasPrefix(socketPrefix) else {
      // Run by a shell, so that arguments with spaces can be quoted.
      return try FrameAuthenticator(command: ["/bin/sh", "-c", name])
    }
    return try FrameAuthenticator(unixSocket: String(name.dropFirst(socketPrefix.count)))
  }

  /// Enrolls the owner. A user who can open the vault knows its passphrase, so their confirmation counts as user
  /// verification. Setting a PIN removes this enrollment.
  private static func enrollOwner(in vault: any Vault) throws(CommandFailure) {
    try mapError(VaultOwner(of: vault).enrollOwner()) { (error: CTAPError) in CommandFailure(error) }
  }

  private func interaction() throws(CommandFailure) -> any UserInteraction {
    let ceremony: CeremonyDescription
    switch asker {
    case .other(let interaction): return interaction
    case .terminal(let description): ceremony = description
    }
    if choice.saysYes { return AutomaticInteraction.always() }
    guard let terminal = TerminalInteraction(describing: ceremony) else {
      throw .refused(
        "there is no terminal to ask for confirmation", hint: "use --yes to confirm")
    }
    return terminal
  }
}

/// The system's clock for a device. Its uptime starts at initialization.
package struct SystemClock: AuthenticatorClock {
  private let start = ContinuousClock.now

  package var now: UnixTime { Clock.now }
  package var uptime: Duration { ContinuousClock.now - start }
}
