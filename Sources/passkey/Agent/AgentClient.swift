// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WireFormats

/// A connection to this user's agent.
struct AgentClient {
  private let connection: StreamTransport

  // 10 s  [the agent answers from memory, one client after the other]
  private static let timeLimit = Duration.seconds(10)

  /// Connects to the agent. Returns nil if no agent of this user is listening.
  init?() {
    guard let path = AgentSocket.path, let connection = try? StreamTransport.connected(toUnixSocket: path) else {
      return nil
    }
    // A process of another user that listens at this path would receive a vault's key.
    guard connection.peerUserID == geteuid() else { return nil }
    self.connection = connection
  }

  /// Connects to the agent. Throws if none is running.
  static func required() throws(CommandFailure) -> AgentClient {
    guard let client = AgentClient() else {
      throw .refused("no agent is running", hint: "start one with passkey agent start")
    }
    return client
  }

  /// Returns the key of a vault that the agent has unlocked, or nil.
  static func key(ofVaultAt path: String) -> VaultKey? {
    guard let client = AgentClient(), let salt = try? FileVault.salt(at: path),
      case .done(let secret)? = try? client.ask(.key(salt: salt[...]))
    else { return nil }
    return VaultKey(secret: SecretBytes(secret))
  }

  /// Sends a request whose reply carries no payload, and prints `report` if it succeeds.
  func perform(_ request: AgentRequest, reporting report: String) throws(CommandFailure) {
    guard case .done = try ask(request) else { throw .inputOutput("the agent refused the request") }
    try Output.write(report)
  }

  /// Sends the only request of this connection and returns its reply.
  func ask(_ request: AgentRequest) throws(CommandFailure) -> AgentReply {
    var frame = request.frame
    defer { frame.wipe() }
    do throws(TransportError) {
      try connection.send(frame[...])
      if case .frame(let reply) = try connection.receive(waitingAtMost: Self.timeLimit), let first = reply.first {
        return first == 1 ? .done(reply.dropFirst()) : .refused
      }
    } catch {
      throw .inputOutput("the agent does not answer: \(error.description.escapedForTerminal)")
    }
    throw .inputOutput("the agent does not answer")
  }
}
