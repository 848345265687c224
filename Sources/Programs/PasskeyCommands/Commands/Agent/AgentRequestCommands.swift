// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// `passkey agent lock`
enum AgentLockCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "lock", summary: "wipe the keys of all vaults",
    detail: "Programs that already opened a vault keep it open.",
    example: "make commands ask for passphrases again")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentSocket.requireAgent().require(.lock)
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.writeArray("vaults") { (_) in } } }
    try Output.write("locked\n")
  }
}

/// `passkey agent stop`
enum AgentStopCommand: Command {
  static let specification = CommandSpecification.agentRequest(
    "stop", summary: "stop the agent", detail: "Wipes the keys of all vaults.", example: "stop the agent")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    _ = try AgentSocket.requireAgent().require(.stop)
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("process", .null) } }
    try Output.write("stopped\n")
  }
}

extension CommandSpecification {
  /// Creates the specification of a command that has no arguments and sends one request to the agent.
  fileprivate static func agentRequest(_ verb: String, summary: String, detail: String, example: String) -> Self {
    CommandSpecification(
      name: "agent \(verb)", summary: summary, arguments: "[OPTION…]",
      discussion: [detail, CommandGroup.agentExitCodes],
      positionalCount: 0...0, options: [.json, .help],
      examples: [.init(command: "passkey agent \(verb)", meaning: example)])
  }
}
