// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator

/// `passkey authenticator`
enum AuthenticatorCommand: Command {
  static let specification = CommandSpecification(
    name: "authenticator",
    summary: "run an authenticator over a pipe, a socket or as a virtual USB key",
    arguments: "--stdio|--hid|--unix PATH [--hid]|--uhid [--check]|--attestation-root [OPTION…]",
    discussion: [
      """
      Runs a CTAP 2.3 authenticator that keeps its passkeys in a vault, and creates the vault if it is missing. A \
      frame has a big-endian length of four bytes, a type byte and a payload. With --hid each frame is one CTAPHID \
      report, on the standard streams or, with --unix, on the socket. Each connection to the socket is a separate \
      device over the same vault, up to \(DeviceServer.maximumConnectionCount) at a time. The device is unplugged when the process \
      or its connection ends.
      """,
      """
      --uhid plugs in a virtual USB security key until the program ends. Browsers, ssh-keygen and fido2-token see it as \
      any other key. It needs the kernel's module uhid and the right to open \(VirtualUSBKey.path); --check says what is \
      missing. A program with that right can also act as a keyboard, so give it to trusted users only.
      """,
      """
      --approve sets how the device's user reacts: always touches (the default, like --yes), is asked at the terminal, \
      waits for gesture frames, or never touches.
      """,
      """
      Exit codes: 0 the peer closed the connection, 1 the pipe or the socket failed, 2 invalid usage, 6 the vault \
      cannot be opened, 130 cancelled with Ctrl-C while the passphrase was asked.
      """,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(name: "--stdio", help: "use standard input and output"),
      OptionSpecification(
        name: "--hid", help: "exchange CTAPHID reports, on standard input and output unless --unix is given"),
      OptionSpecification(name: "--unix", value: .init(name: "PATH"), help: "listen on a Unix socket"),
      OptionSpecification(name: "--uhid", help: "plug in a virtual USB security key"),
      OptionSpecification(name: "--check", help: "with --uhid: only say whether the key could be plugged in"),
      OptionSpecification(
        name: "--attestation-root", help: "print the root certificate of its batch attestation and exit"),
      OptionSpecification(
        name: "--approve", value: .init(name: "HOW", choices: Options.Approval.allCases.map(\.rawValue)),
        help: "how the device's user reacts"),
      OptionSpecification(name: "--yes", help: "the same as --approve always"),
      OptionSpecification.vaultCost,
    ] + MemoryDevice.optionSpecifications + VaultLocation.options + DeviceOptions.options + [.help],
    examples: [
      .init(
        command: "passkey authenticator --stdio --vault keys.vault",
        meaning: "run a device for the program that starts it"),
      .init(
        command: "passkey authenticator --unix /run/user/1000/passkey --approve ask",
        meaning: "run a device behind a socket and ask at the terminal"),
      .init(
        command: "passkey authenticator --unix /tmp/key --hid --yes",
        meaning: "run a USB security key whose reports go through a socket"),
      .init(
        command: "passkey authenticator --uhid --approve ask",
        meaning: "plug in a USB security key for all programs of this machine"),
    ])

  /// The action and, for a device, its transport, vault and behavior.
  enum Options: CommandArguments {
    case attestationRoot
    case check
    case device(Device)

    struct Device {
      let connection: Connection
      let vault: VaultChoice
      let device: DeviceOptions
      let seed: String?
      let approval: Approval
    }

    /// How programs reach the device.
    enum Connection {
      case standardStreams(isHID: Bool)
      case socket(path: String, isHID: Bool)
      case virtualUSB
    }

    /// The vault of the device: in memory, or in a file.
    enum VaultChoice {
      case memory
      case file(VaultLocation, VaultCost)
    }

    /// How the device's user reacts.
    enum Approval: String, CaseIterable {
      case always, ask, gesture, never
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      guard !arguments.has("--attestation-root") else {
        self = .attestationRoot
        return
      }
      let connection = try Self.connection(arguments)
      guard !arguments.has("--check") else {
        guard case .virtualUSB = connection else { throw .usage("--check needs --uhid", hint: Self.usageHint) }
        self = .check
        return
      }
      let approval = arguments["--approve"].flatMap(Approval.init) ?? .always
      if case .virtualUSB = connection, approval == .gesture {
        throw .usage(
          "--uhid cannot be combined with --approve gesture", hint: "a USB connection carries no gesture frames")
      }
      guard !arguments.has("--yes") || approval == .always else {
        throw .usage(
          "--yes means --approve always; it cannot be combined with --approve \(approval.rawValue)",
          hint: Self.usageHint)
      }
      self = .device(
        Device(
          connection: connection, vault: try Self.vault(arguments), device: try DeviceOptions(arguments),
          seed: arguments["--seed"], approval: approval))
    }

    private static let usageHint = "see passkey help authenticator"

    private static func connection(_ arguments: ParsedArguments) throws(CommandFailure) -> Connection {
      let isHID = arguments.has("--hid")
      let socket = arguments["--unix"]
      if arguments.has("--uhid") {
        guard !arguments.has("--stdio"), !isHID, socket == nil else {
          throw .usage("--uhid cannot be combined with --stdio, --hid or --unix", hint: usageHint)
        }
        return .virtualUSB
      }
      guard arguments.has("--stdio") || socket != nil || isHID else {
        throw .usage("authenticator needs one of --stdio, --hid, --unix and --uhid", hint: usageHint)
      }
      guard !arguments.has("--stdio") || socket == nil && !isHID else {
        throw .usage("--stdio cannot be combined with --hid or --unix", hint: usageHint)
      }
      return if let socket { .socket(path: socket, isHID: isHID) } else { .standardStreams(isHID: isHID) }
    }

    private static func vault(_ arguments: ParsedArguments) throws(CommandFailure) -> VaultChoice {
      try MemoryDevice.isChosen(arguments) ? .memory : .file(VaultLocation(arguments), VaultCost(arguments))
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    switch options {
    case .attestationRoot: try writeAttestationRoot()
    case .check:
      try mapError(VirtualUSBKey.checkAccess()) { (error: TransportError) in failure(error, of: .virtualUSB) }
      try Output.write("ok  a virtual USB key can be plugged in through \(VirtualUSBKey.path)\n")
    case .device(let device): try serve(device)
    }
  }

  private static func serve(_ options: Options.Device) throws(CommandFailure) {
    // Before any other thread starts: every thread has to block these signals.
    let signals: StopSignals? = if case .socket = options.connection { StopSignals() } else { nil }
    let seed = options.seed
    let server = try DeviceServer(
      vault: vault(options), profile: options.device.profile(), user: user(options.approval),
      random: { MemoryDevice.random(seed: seed) }, clock: { SystemClock() })
    // A closed pipe is reported by the failing write.
    signal(SIGPIPE, SIG_IGN)
    do throws(TransportError) {
      switch options.connection {
      case .standardStreams(let isHID):
        try server.serve(StreamTransport(input: STDIN_FILENO, output: STDOUT_FILENO), isHID: isHID)
      case .socket(let path, let isHID):
        let listener = try UnixListener(path: path)
        signals?.endProcess { listener.withdraw() }
        try server.serve(listener, isHID: isHID) { (event) in Diagnostics.passkey.note(text(event, path)) }
      case .virtualUSB:
        let key = try VirtualUSBKey()
        Diagnostics.passkey.note("the virtual USB key is plugged in until this program ends")
        try server.serve(key, isHID: true)
      }
    } catch {
      throw failure(error, of: options.connection)
    }
  }

  private static func failure(_ error: TransportError, of connection: Options.Connection) -> CommandFailure {
    let cause = (error.detail ?? error.description).escapedForTerminal
    switch (connection, error.code) {
    case (.socket(let path, _), .cannotListen):
      return .inputOutput(
        "cannot listen at \(path.quotedForTerminal): \(cause)",
        hint: "name a new file for the socket, in a folder that exists")
    case (.virtualUSB, .cannotPlugIn):
      return .inputOutput(
        "cannot plug in a virtual USB key through \(VirtualUSBKey.path): \(cause)",
        hint: error.cause == .accessDenied
          ? "this user may not open it: add the udev rule in Documentation/VirtualUSBKey.md, or run this as root"
          : "load the kernel's module with modprobe uhid; containers rarely have it: use --unix or --stdio there")
    default: return .inputOutput("\(error.description.escapedForTerminal)")
    }
  }

  private static func vault(_ options: Options.Device) throws(CommandFailure) -> any Vault {
    switch options.vault {
    case .file(let vault, let cost): try vault.openOrCreate(cost: cost)
    case .memory: try MemoryDevice.vault(random: MemoryDevice.random(seed: options.seed))
    }
  }

  private static func text(_ event: DeviceServer.Event, _ path: String) -> String {
    switch event {
    case .listening: "listening at \(path.escapedForTerminal)"
    case .refused: "refused a connection: \(DeviceServer.maximumConnectionCount) are open, or no thread is left"
    case .lost(let error): "a connection was lost: \(error.description.escapedForTerminal)"
    }
  }

  /// Returns the device's user, who behaves as `--approve` says.
  private static func user(_ approval: Options.Approval) -> DeviceServer.User {
    switch approval {
    case .gesture: return .gestures
    case .never: return .interaction { AutomaticInteraction.never }
    case .ask:
      // All devices share the terminal, which asks one question at a time.
      if let terminal = SharedTerminal() { return .interaction { TerminalInteraction(at: terminal) } }
      Diagnostics.passkey.note("there is no terminal to ask at: all requests are refused")
      return .interaction { AutomaticInteraction.never }
    case .always: return .interaction { AutomaticInteraction.always() }
    }
  }

  private static func writeAttestationRoot() throws(CommandFailure) {
    let certificate = try mapError(TestAttestationAuthority().certificate) { (error: PasskeyCryptoError) in
      CommandFailure.inputOutput("cannot create the certificate: \(error)")
    }
    try Output.write(PEM.text("CERTIFICATE", certificate))
  }
}
