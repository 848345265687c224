// SPDX-License-Identifier: Apache-2.0

internal import BrowserBridge
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyTesting

/// How the host in a browser answers: the device, the approval and the fault. `install` writes these options into the
/// script that starts `host`.
struct BrowserHostOptions {
  let device: DeviceChoice
  let approval: Approval
  let userName: String?
  let fault: TestBrowser.Fault?
  let knownPIN: SecretBytes?

  /// How ceremonies are approved.
  enum Approval: Sendable {
    case window, terminal, always, never
    /// A file or a named pipe.
    case gestures(String)

    /// The name that the extension shows.
    var name: String {
      switch self {
      case .window: "window"
      case .terminal: "terminal"
      case .always: "always"
      case .never: "never"
      case .gestures: "gestures"
      }
    }
  }

  private static let approve = Option(
    "--approve", "HOW", choices: ["window", "terminal", "always", "never"],
    help:
      "ask in a window of the extension or where passkey browser approve runs, or approve or refuse everything (window)"
  )

  private static let gestures = Option(
    "--gestures", "FILE",
    help: "read the answers from this file or named pipe: approve, refuse or choose 2, one a line")

  private static let user = Option(
    "--user", "NAME",
    help: "choose this passkey if several match, by user name or user handle, without a question")

  private static let faultOption = Option(
    "--fault", "NAME", choices: TestBrowser.Fault.allCases.map(\.rawValue),
    help: "put this fault into every response, to test how a site handles it; for tests only")

  /// The options of the host, less `--yes`, which is `--approve always` here.
  static let options: [any OptionSpecification] =
    [approve, gestures, user, faultOption]
    + DeviceChoice.options.filter { (option) in option.name != DeviceChoice.yes.name }
    + MemoryDevice.optionSpecifications + TerminalClientInteraction.options

  /// The options whose value is a path.
  private static let paths = Set(
    [gestures, VaultLocation.vault, VaultLocation.passphraseFile, TerminalClientInteraction.pinFile].map(\.name))

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments.has(VaultLocation.passphraseDescriptor) else {
      throw .usage(
        "the browser starts the host, which therefore gets no --passphrase-fd",
        hint: "unlock the vault with passkey agent, or use --passphrase-file")
    }
    guard !arguments.has(Self.gestures) || !arguments.has(Self.approve) else {
      throw .usage("--gestures cannot be combined with --approve", hint: "use only one of them")
    }
    device = try DeviceChoice(arguments)
    knownPIN = try TerminalClientInteraction.knownPIN(arguments)
    userName = arguments[Self.user]
    fault = arguments[Self.faultOption].flatMap { (name) in TestBrowser.Fault(rawValue: name) }
    if fault != nil, case .external = device.device {
      throw .usage("--fault cannot be combined with --device", hint: "a fault needs the keys of a vault")
    }
    if let path = arguments[Self.gestures] {
      approval = .gestures(path)
    } else {
      switch arguments[Self.approve] {
      case "terminal": approval = .terminal
      case "always": approval = .always
      case "never": approval = .never
      default: approval = .window
      }
    }
  }

  /// Returns the options as words for the host's command line. Paths become absolute: the browser starts the host in
  /// another folder. A provider of passkeys is the default kind, because pages ask for platform authenticators.
  static func words(_ arguments: ParsedArguments) -> [String] {
    var words: [String] = []
    for option in options where arguments.has(option) {
      guard option.placeholder != nil else {
        words.append(option.name)
        continue
      }
      for value in arguments.texts(of: option) {
        words += [option.name, paths.contains(option.name) ? AbsolutePath.of(value) : value]
      }
    }
    guard !arguments.has(DeviceChoice.device) else { return words }
    let isInMemory = arguments[MemoryDevice.memory] || arguments.has(MemoryDevice.seed)
    if !isInMemory, !arguments.has(VaultLocation.vault), let vault = Environment.value(VaultLocation.variable) {
      words += ["--vault", AbsolutePath.of(vault)]
    }
    if !arguments.has(DeviceOptions.kind) { words += ["--kind", "passkey-provider"] }
    return words
  }

  /// Whether pages find a platform authenticator that verifies users.
  var isPlatformVerifier: Bool {
    switch device.device {
    case .vault(_, let options, _): options.isPlatformVerifier
    case .memory(let device): device.options.isPlatformVerifier
    case .external: false
    }
  }

  /// The client's source of randomness: of its own, so that its draws do not change those of a seeded device.
  var random: RandomSource {
    if case .memory(let device) = device.device { device.random.labeled("passkey browser host") } else { .system }
  }
}
