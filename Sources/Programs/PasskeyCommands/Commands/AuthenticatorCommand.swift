// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator

/// `passkey authenticator`
enum AuthenticatorCommand: Command {
  private static let stdio = Option("--stdio", help: "use standard input and output")
  private static let hid = Option(
    "--hid",
    help: "exchange CTAPHID reports, on standard input and output unless --unix is given")
  private static let unix = Option("--unix", "PATH", help: "listen on a Unix socket")
  private static let uhid = Option("--uhid", help: "plug in a virtual USB security key")
  private static let check = Option("--check", help: "with --uhid: only say whether the key could be plugged in")
  private static let attestationRoot = Option(
    "--attestation-root", help: "print the root certificate of its batch attestation and exit")
  private static let approve = Option<Approval?>(
    "--approve", "HOW", help: "how the device's user reacts")
  private static let yes = Option("--yes", help: "the same as --approve always")

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
    options: [stdio, hid, unix, uhid, check, attestationRoot, approve, yes, VaultCost.option]
      + MemoryDevice.optionSpecifications + VaultLocation.options + DeviceOptions.options + [.help],
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

  /// How programs reach the device.
  private enum Connection {
    case standardStreams(isHID: Bool)
    case socket(path: String, isHID: Bool)
    case virtualUSB
  }

  /// How the device's user reacts.
  enum Approval: String, CaseIterable, OptionValue {
    case always, ask, gesture, never
  }

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    if arguments[attestationRoot] { return try writeAttestationRoot() }
    let connection = try connection(arguments)
    guard arguments[check] else { return try serve(connection, arguments) }
    guard case .virtualUSB = connection else { throw .usage("--check needs --uhid", hint: usageHint) }
    try mapError(VirtualUSBKey.checkAccess()) { (error: TransportError) in failure(error, of: .virtualUSB) }
    try Output.write("ok  a virtual USB key can be plugged in through \(VirtualUSBKey.path)\n")
  }

  private static let usageHint = "see passkey help authenticator"

  private static func connection(_ arguments: ParsedArguments) throws(CommandFailure) -> Connection {
    let isHID = arguments[hid]
    let socket = arguments[unix]
    if arguments[uhid] {
      guard !arguments[stdio], !isHID, socket == nil else {
        throw .usage("--uhid cannot be combined with --stdio, --hid or --unix", hint: usageHint)
      }
      return .virtualUSB
    }
    guard arguments[stdio] || socket != nil || isHID else {
      throw .usage("authenticator needs one of --stdio, --hid, --unix and --uhid", hint: usageHint)
    }
    guard !arguments[stdio] || socket == nil && !isHID else {
      throw .usage("--stdio cannot be combined with --hid or --unix", hint: usageHint)
    }
    return if let socket { .socket(path: socket, isHID: isHID) } else { .standardStreams(isHID: isHID) }
  }

  private static func approval(
    _ connection: Connection, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> Approval {
    let approval = arguments[approve] ?? .always
    if case .virtualUSB = connection, approval == .gesture {
      throw .usage(
        "--uhid cannot be combined with --approve gesture", hint: "a USB connection carries no gesture frames")
    }
    guard !arguments[yes] || approval == .always else {
      throw .usage(
        "--yes means --approve always; it cannot be combined with --approve \(approval.rawValue)", hint: usageHint)
    }
    return approval
  }

  private static func serve(_ connection: Connection, _ arguments: ParsedArguments) throws(CommandFailure) {
    let approval = try approval(connection, arguments)
    let location = try MemoryDevice.isChosen(arguments) ? nil : VaultLocation(arguments)
    let device = try DeviceOptions(arguments)
    // Before any other thread starts: every thread has to block these signals.
    let signals: StopSignals? = if case .socket = connection { StopSignals() } else { nil }
    let seed = arguments[MemoryDevice.seed]
    let vault: any Vault =
      if let location {
        try location.openOrCreate(cost: VaultCost(arguments))
      } else {
        try MemoryDevice.vault(random: MemoryDevice.random(seed: seed))
      }
    let server = try DeviceServer(
      vault: vault, profile: device.profile(), user: user(approval),
      random: { MemoryDevice.random(seed: seed) }, clock: { SystemClock() })
    // A closed pipe is reported by the failing write.
    signal(SIGPIPE, SIG_IGN)
    do throws(TransportError) {
      switch connection {
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
      throw failure(error, of: connection)
    }
  }

  private static func failure(_ error: TransportError, of connection: Connection) -> CommandFailure {
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

  private static func text(_ event: DeviceServer.Event, _ path: String) -> String {
    switch event {
    case .listening: "listening at \(path.escapedForTerminal)"
    case .refused: "refused a connection: \(DeviceServer.maximumConnectionCount) are open, or no thread is left"
    case .lost(let error): "a connection was lost: \(error.description.escapedForTerminal)"
    }
  }

  /// Returns the device's user, who behaves as `--approve` says.
  private static func user(_ approval: Approval) -> DeviceServer.User {
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
