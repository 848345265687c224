// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeySystem

/// A connection to this user's agent. It carries one request.
package struct AgentClient {
  private let connection: StreamTransport

  // 10 s  [the agent answers from memory, one client after the other]
  private static let timeLimit = Duration.seconds(10)

  /// Connects to the agent's socket. Returns nil if no agent of this user is listening there.
  package init?(path: String) {
    guard let connection = try? StreamTransport.connected(toUnixSocket: path) else { return nil }
    // A process of another user that listens at this path would receive a vault's key.
    guard connection.peerUserID == CurrentProcess.userID else { return nil }
    self.connection = connection
  }

  /// Returns the key of a vault that the agent has unlocked, or nil.
  package func key(ofVaultAt path: String) -> VaultKey? {
    guard let salt = try? FileVault.salt(at: path), case .done(let secret)? = try? ask(.key(salt: salt[...])) else {
      return nil
    }
    return VaultKey(secret: SecretBytes(secret))
  }

  /// Sends the only request of this connection.
  ///
  /// - Returns: The reply, or nil if the agent closes the connection or does not answer within ten seconds.
  package func ask(_ request: AgentRequest) throws(TransportError) -> AgentReply? {
    var frame = request.frame
    defer { frame.wipe() }
    try connection.send(frame)
    guard case .frame(let reply) = try connection.receive(waitingAtMost: Self.timeLimit), let first = reply.first else {
      return nil
    }
    return first == 1 ? .done(reply.dropFirst()) : .refused
  }
}
