// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// The location of the agent's socket.
enum AgentSocket {
  /// The environment variable that sets another socket path. If it is empty, commands do not use an agent.
  static let variable = "PASSKEY_AGENT"

  /// The socket's path, or nil if none is configured.
  static var path: String? {
    if let value = unsafe getenv(variable) {
      let path = unsafe String(cString: value)
      return path.isEmpty ? nil : path
    }
    return RuntimeFolder.path.map { (folder) in folder + "/agent" }
  }

  /// Connects to the agent. Returns nil if none is running.
  static func connect() -> AgentClient? { path.flatMap(AgentClient.init(path:)) }

  /// Connects to the agent. Throws if none is running.
  static func requireAgent() throws(CommandFailure) -> AgentClient {
    guard let client = connect() else {
      throw .refused("no agent is running", hint: "start one with passkey agent start")
    }
    return client
  }

  /// Returns the path to listen at. Creates its folder if missing, accessible to this user only.
  static func prepare() throws(CommandFailure) -> String {
    guard let path else {
      throw .usage(
        "there is no path for the agent's socket: "
          + (unsafe getenv(variable) == nil ? "XDG_RUNTIME_DIR is not set" : "\(variable) is empty"),
        hint: "set \(variable) to a path")
    }
    if unsafe getenv(variable) == nil { try RuntimeFolder.create() }
    return path
  }
}

extension AgentClient {
  /// Sends the only request of this connection and returns the reply's payload. `refusal` is the message if the agent
  /// refuses.
  func require(
    _ request: AgentRequest, refusal: CommandFailure = .inputOutput("the agent refused the request")
  ) throws(CommandFailure) -> Bytes {
    let reply = try mapError(ask(request)) { (error: TransportError) in
      CommandFailure.inputOutput("the agent does not answer: \(error.description.escapedForTerminal)")
    }
    switch reply {
    case .done(let payload): return payload
    case .refused: throw refusal
    case nil: throw .inputOutput("the agent does not answer")
    }
  }
}
