// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WireFormats

/// `passkey authenticator`
enum AuthenticatorCommand: Command {
  static let specification = CommandSpecification(
    name: "authenticator",
    summary: "be a passkey device, over a pipe or a socket",
    arguments: "--stdio|--hid|--unix PATH|--attestation-root [OPTION…]",
    discussion: [
      """
      Plugs a CTAP 2.3 device in whose passkeys are kept in a vault, which is made where there is none. Frames are a length \
      of four bytes, big-endian, and as many bytes: a type byte and a payload. With --hid each frame is one CTAPHID report. \
      When the process ends, or a connection to the socket does, the device is pulled out.
      """,
      """
      --approve says what the device's user does: always touches (as over a pipe, without it), is asked at the terminal, \
      waits for gesture frames, or never touches.
      """,
      """
      Exit codes: 0 the other side has left, 1 the pipe or the socket failed, 2 the command line is not understood, 6 the \
      vault cannot be opened.
      """,
    ],
    positionalCount: 0...0,
    options: [
      OptionSpecification(name: "--stdio", help: "speak on standard input and output"),
      OptionSpecification(name: "--hid", help: "the same, in CTAPHID reports"),
      OptionSpecification(name: "--unix", value: .init(name: "PATH"), help: "listen at a Unix socket"),
      OptionSpecification(
        name: "--attestation-root", help: "print the certificate that its batch attestation leads to, and nothing else"),
      OptionSpecification(
        name: "--approve", value: .init(name: "HOW", choices: ["always", "ask", "gesture", "never"]),
        help: "what the device's user does"),
      OptionSpecification(name: "--memory", help: "keep passkeys in memory, until the process ends"),
      OptionSpecification(
        name: "--seed", value: .init(name: "TEXT"),
        help: "make every key, id and nonce follow from this text: for tests alone"),
      OptionSpecification.vaultCost,
    ] + VaultLocation.options + DeviceOptions.options + [.help],
    examples: [
      .init(
        command: "passkey authenticator --stdio --vault keys.vault", meaning: "a device for the program that starts it"),
      .init(
        command: "passkey authenticator --unix /run/user/1000/passkey --approve ask",
        meaning: "one behind a socket, whose user is asked"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    if arguments.has("--attestation-root") { return try writeAttestationRoot() }
    let door = try Door(arguments)
    // Before there is another thread: each of them would have to let the signals be.
    let signals: StopSignals? = if case .socket = door { StopSignals() } else { nil }
    let options = try DeviceOptions(arguments)
    let socket = try PluggedInDevice(vault: vault(arguments), options, arguments)
    // A pipe whose other end is gone is told by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    do throws(TransportError) {
      switch door {
      case .stream(let isHID):
        let transport = StreamTransport(input: STDIN_FILENO, output: STDOUT_FILENO)
        try socket.serve(transport, isHID: isHID)
      case .socket(let path):
        try serve(socket, at: path, until: signals)
      }
    } catch {
      throw .inputOutput("\(error.description.escapedForTerminal)")
    }
  }

  private static func serve(
    _ device: PluggedInDevice, at path: String, until signals: StopSignals?
  ) throws(TransportError) {
    let listener = try UnixListener(path: path)
    signals?.endProcess { listener.withdraw() }
    Diagnostics.passkey.note("listening at \(path.escapedForTerminal)")
    while true {
      guard let connection = try listener.accept() else { continue }
      do throws(TransportError) {
        try device.serve(connection, isHID: false)
      } catch {
        Diagnostics.passkey.note("a connection broke off: \(error.description.escapedForTerminal)")
      }
    }
  }

  private static func writeAttestationRoot() throws(CommandFailure) {
    let certificate: [UInt8]
    do throws(CryptoError) {
      certificate = try TestAttestationAuthority().certificate
    } catch {
      throw .inputOutput("the certificate cannot be made: \(error)")
    }
    try Output.write(PEM.text("CERTIFICATE", certificate[...]))
  }

  private enum Door {
    case stream(isHID: Bool)
    case socket(String)

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      let count = ["--stdio", "--hid", "--unix"].count { (name) in arguments.has(name) }
      guard count == 1 else {
        throw .usage(
          "authenticator needs one of --stdio, --hid and --unix", hint: "passkey help authenticator tells more")
      }
      self = arguments["--unix"].map { (path) in .socket(path) } ?? .stream(isHID: arguments.has("--hid"))
    }
  }

  private static func vault(_ arguments: ParsedArguments) throws(CommandFailure) -> any Vault {
    guard arguments.has("--memory") || arguments.has("--seed") else {
      return try VaultLocation(arguments).openOrMake(cost: arguments["--vault-cost"] == "test" ? .test : .standard)
    }
    guard !arguments.has("--vault") else {
      throw .usage("--vault does not go with --memory or --seed", hint: "a vault in memory has no file")
    }
    return MemoryVault(try DeviceState.factoryForCommand(random: PluggedInDevice.random(arguments)))
  }
}
