// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// `passkey agent start`
enum AgentStartCommand: Command {
  static let foreground = Option("--foreground", help: "stay in the foreground, for a service manager")
  static let locked = Option("--locked", help: "start without unlocking a vault")
  static let lockAfter = Option<Duration?>(
    "--lock-after", "DURATION",
    help: "wipe a vault's key after this long without use, such as 15m (never)")

  static let specification = CommandSpecification(
    name: "agent start",
    summary: "start the agent and unlock a vault",
    arguments: "[OPTION…]",
    discussion: [
      """
      Asks for the vault's passphrase, starts the agent in the background and returns. The agent runs until passkey \
      agent stop, or until the login session ends. Keys are kept in locked memory if the system allows it, and are \
      wiped when the agent is locked or stopped.
      """,
      CommandGroup.agentExitCodes,
    ],
    positionalCount: 0...0,
    options: [foreground, locked, lockAfter] + VaultLocation.options + [.json, .help],
    examples: [
      .init(
        command: "passkey agent start --lock-after 15m",
        meaning: "unlock the vault until it has been idle for 15 minutes"),
      .init(
        command: "passkey agent start --foreground --locked",
        meaning: "run as a user service; unlock vaults with passkey agent unlock"
      ),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let lockAfter = arguments[Self.lockAfter]
    let location = arguments[locked] ? nil : try VaultLocation(arguments)
    let path = try AgentSocket.prepare()
    guard AgentSocket.connect() == nil else {
      throw .refused(
        "an agent is already running",
        hint: "passkey agent unlock unlocks another vault; passkey agent stop stops the agent")
    }
    let vault: FileVault? =
      if let location { try location.open(usingAgent: false) } else { nil }
    guard !arguments[foreground] else { return try serve(at: path, lockAfter: lockAfter, vault) }
    let process = try AgentProcess(lockAfter: lockAfter)
    let client = try process.connection()
    if let vault { try AgentUnlockCommand.unlock(vault, client) }
    guard arguments.asksForJSON else {
      return try Output.write(
        "started  process \(process.identifier)\n" + (vault.map { "unlocked  \($0.path)\n" } ?? ""))
    }
    try Output.writeObject { (object) in
      object.write("process", .integer(process.identifier))
      object.writeArray("vaults") { (vaults) in
        if let vault { vaults.write(.string(vault.absolutePath)) }
      }
    }
  }

  private static func serve(at path: String, lockAfter: Duration?, _ vault: FileVault?) throws(CommandFailure) {
    // Before any other thread starts: every thread has to block these signals.
    let signals = StopSignals()
    signal(SIGPIPE, SIG_IGN)
    do throws(TransportError) {
      let listener = try UnixListener(path: path)
      signals.endProcess { listener.withdraw() }
      let server = AgentServer(listener, lockAfter: lockAfter)
      if let vault { server.add(vault) }
      Diagnostics.passkey.note("listening at \(path.escapedForTerminal)")
      try server.serve()
    } catch {
      throw .inputOutput(
        "the agent cannot listen at \(path.quotedForTerminal): \(error.description.escapedForTerminal)")
    }
  }
}
