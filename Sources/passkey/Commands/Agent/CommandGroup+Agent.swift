// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey agent`
  static let agent = Self(
    name: "agent",
    summary: "keep vaults unlocked",
    discussion: [
      """
      The agent keeps vault keys in memory, so that commands neither ask for the passphrase nor spend time on deriving \
      the key. It listens on passkey/agent in $XDG_RUNTIME_DIR, or on the path in $PASSKEY_AGENT; an empty \
      $PASSKEY_AGENT disables it.
      """,
      """
      Every command that opens a vault asks the agent first, unless an option gives the passphrase. The agent answers \
      only processes of the same user. Any of them can get the key of an unlocked vault, which opens it until its \
      passphrase is changed: lock the agent before you run programs that you do not trust.
      """,
    ],
    members: [
      AgentStartCommand.self, AgentUnlockCommand.self, AgentLockCommand.self, AgentStatusCommand.self,
      AgentStopCommand.self,
    ])

  /// The help paragraph about the exit codes of the agent commands.
  static let agentExitCodes = """
    Exit codes: 0 done, 1 the agent cannot be started or does not answer, 2 invalid usage, 5 an agent is already \
    running, or none is running, 6 the vault cannot be opened.
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
