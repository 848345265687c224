// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnAuthenticator

/// `passkey agent lock`
enum AgentLockCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "lock", summary: "wipe the keys of all vaults",
    detail: "Programs that already opened a vault keep it open.",
    example: "make commands ask for passphrases again")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentSocket.requireAgent().require(.lock)
    try Output.write("locked\n")
  }
}
