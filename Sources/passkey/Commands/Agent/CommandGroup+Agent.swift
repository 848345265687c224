// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey agent`
  static let agent = Self(
    name: "agent",
    summary: "keep vaults unlocked",
    discussion: [
      """
      The agent keeps the keys of vaults in memory, so that commands neither ask for the passphrase nor spend time and memory \
      on it. It listens at passkey/agent in $XDG_RUNTIME_DIR, or at the path in $PASSKEY_AGENT; with an empty $PASSKEY_AGENT \
      commands do without an agent.
      """,
      """
      Every command that opens a vault asks the agent first, unless an option says what the passphrase is. Only processes of \
      the same user are answered. Any of them can get the key of an unlocked vault, which opens it until its passphrase is \
      changed: lock the agent before you run programs that you do not trust.
      """,
    ],
    members: [
      AgentStartCommand.self, AgentUnlockCommand.self, AgentLockCommand.self, AgentStatusCommand.self,
      AgentStopCommand.self,
    ])

  /// The help paragraph about the exit codes of the agent commands.
  static let agentExitCodes = """
    Exit codes: 0 done, 1 the agent cannot be started or does not answer, 2 the command line is not understood, 5 an agent is \
    running already, or none is, 6 the vault.
    """
}

extension CommandSpecification {
  /// Creates the specification of a command that has no arguments and sends one request to the agent.
  static func agentRequest(_ verb: String, summary: String, detail: String, example: String) -> Self {
    CommandSpecification(
      name: "agent \(verb)", summary: summary, arguments: "", discussion: [detail, CommandGroup.agentExitCodes],
      positionalCount: 0...0, options: [.help],
      examples: [.init(command: "passkey agent \(verb)", meaning: example)])
  }
}
