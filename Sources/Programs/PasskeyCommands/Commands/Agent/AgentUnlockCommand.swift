// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// `passkey agent unlock`
enum AgentUnlockCommand: Command {
  static let specification = CommandSpecification(
    name: "agent unlock",
    summary: "unlock a vault in the running agent",
    arguments: "[OPTION…]",
    discussion: [
      "Asks for the vault's passphrase and sends the vault's key, not the passphrase, to the running agent.",
      CommandGroup.agentExitCodes,
    ],
    positionalCount: 0...0,
    options: VaultLocation.options + [.json, .help],
    examples: [.init(command: "passkey agent unlock --vault work.vault", meaning: "unlock another vault")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let location = try VaultLocation(arguments)
    _ = try AgentSocket.requireAgent()
    let vault = try location.open(usingAgent: false)
    // Connect again: typing the passphrase may have exceeded the agent's request time-out.
    try unlock(vault, AgentSocket.requireAgent())
    guard !arguments.asksForJSON else {
      return try Output.writeObject { (object) in
        object.writeArray("vaults") { (vaults) in vaults.write(.string(vault.absolutePath)) }
      }
    }
    try Output.write("unlocked  \(vault.path.escapedForTerminal)\n")
  }

  static func unlock(_ vault: FileVault, _ client: AgentClient) throws(CommandFailure) {
    _ = try client.require(
      .add(path: vault.absolutePath, secret: vault.key.secret),
      refusal: .inputOutput("the agent cannot hold another key", hint: "remove keys with passkey agent lock"))
  }
}
