// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// `passkey agent status`
enum AgentStatusCommand: Command {
  static let specification = CommandSpecification(
    name: "agent status",
    summary: "show which vaults the agent keeps unlocked",
    arguments: "[OPTION…]",
    discussion: ["Prints one fact a line. Showing the status does not count as use.", CommandGroup.agentExitCodes],
    positionalCount: 0...0,
    options: [.json, .help],
    examples: [
      .init(command: "passkey agent status", meaning: "show whether the agent runs and which vaults are unlocked")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let json = try AgentSocket.requireAgent().require(.status)
    guard !arguments.asksForJSON else {
      return try Output.write(String(decoding: json, as: UTF8.self) + "\n")
    }
    let text = try mapError(Self.text(JSON.parse(json))) { (error: WireError) in
      CommandFailure.inputOutput("the agent's answer is malformed: \(error)")
    }
    try Output.write(text)
  }

  private static func text(_ status: JSONValue) throws(WireError) -> String {
    let lockAfter = try status["lockAfter"]?.unlessNull?.int64
    let facts: [[String]] = [
      ["process", "\(try status.require("process").int64)"],
      ["memory", try status.require("memoryIsLocked").bool ? "locked" : "may be swapped out"],
      ["locks", lockAfter.map { (seconds) in "after \(seconds) s without use" } ?? "never"],
    ]
    let vaults = try status.require("vaults").elements { (path) throws(WireError) in
      ["unlocked", try path.string.escapedForTerminal]
    }
    return TextTable(rows: facts + vaults, width: nil).text
  }
}
