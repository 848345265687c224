// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// `passkey agent lock`
enum AgentLockCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "lock", summary: "have the agent forget the keys of all vaults",
    detail: "Programs that opened a vault before keep it open.", example: "ask for passphrases again")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try AgentClient.required().perform(.lock, reporting: "locked\n")
  }
}
