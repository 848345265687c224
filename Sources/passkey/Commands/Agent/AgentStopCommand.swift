// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// `passkey agent stop`
enum AgentStopCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "stop", summary: "stop the agent", detail: "Wipes the keys of all vaults.", example: "stop the agent")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try AgentClient.required().perform(.stop, reporting: "stopped\n")
  }
}
