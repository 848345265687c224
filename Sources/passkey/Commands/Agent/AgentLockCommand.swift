// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// `passkey agent lock`
enum AgentLockCommand: Command {
  static let specification = CommandSpecification(
    name: "agent lock",
    summary: "have the agent forget the keys of all vaults",
    arguments: "",
    discussion: ["Programs that opened a vault before keep it open.", CommandGroup.agentExitCodes],
    positionalCount: 0...0,
    options: [.help],
    examples: [.init(command: "passkey agent lock", meaning: "ask for passphrases again")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentClient.required().ask(.lock)
    try Output.write("locked\n")
  }
}

/// `passkey agent stop`
enum AgentStopCommand: Command {
  static let specification = CommandSpecification(
    name: "agent stop",
    summary: "end the agent",
    arguments: "",
    discussion: ["The keys of all vaults are wiped.", CommandGroup.agentExitCodes],
    positionalCount: 0...0,
    options: [.help],
    examples: [.init(command: "passkey agent stop", meaning: "end the agent")])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentClient.required().ask(.stop)
    try Output.write("stopped\n")
  }
}
