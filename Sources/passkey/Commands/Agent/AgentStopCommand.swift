// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator

/// `passkey agent stop`
enum AgentStopCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "stop", summary: "stop the agent", detail: "Wipes the keys of all vaults.", example: "stop the agent")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentSocket.requireAgent().require(.stop)
    try Output.write("stopped\n")
  }
}
