// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// The agent. It keeps vault keys and gives them to processes of the same user.
///
/// ``serve()`` runs on one thread, which also owns the keys.
package final class AgentServer {
  private let listener: UnixListener
  private let lockAfter: Duration?
  private var keys: KeyRing
  private var isStopped = false

  /// A connection whose request has not arrived yet.
  private struct Client {
    let connection: StreamTransport
    let deadline: ContinuousClock.Instant
  }

  private var clients: [Client] = []

  // 5 s  [a client sends its request immediately after it connects]
  private static let requestTimeLimit = Duration.seconds(5)
  // 64  [further clients wait in the socket's backlog until a connection closes or times out]
  private static let maximumClientCount = 64
  private static let longestWait = Duration.seconds(3600)

  /// Creates an agent without keys. A key that no client requests for `lockAfter` is wiped; nil keeps it until the agent is
  /// locked or stopped.
  package init(_ listener: UnixListener, lockAfter: Duration?) {
    self.listener = listener
    self.lockAfter = lockAfter
    keys = KeyRing(lockAfter: lockAfter)
  }

  /// Adds the key of an open vault.
  package func add(_ vault: FileVault) {
    _ = keys.add(vault.key.secret, of: vault.absolutePath, salt: vault.key.salt, now: .now)
  }

  /// Returns whether the agent may serve this client. Only processes of the agent's own user may receive a key.
  static func answers(userID: UInt32?, as own: UInt32 = CurrentProcess.userID) -> Bool { userID == own }

  /// Serves requests until a client stops the agent. A slow client does not delay the others.
  package func serve() throws(TransportError) {
    while !isStopped {
      let now = ContinuousClock.now
      clients.removeAll { (client) in client.deadline <= now }
      let untilDeadline = clients.map { (client) in client.deadline - now }.min()
      let wait = min(keys.forgetUnused(now: now) ?? Self.longestWait, untilDeadline ?? Self.longestWait)
      // One extra millisecond, so that the deadline has passed when the loop checks it again.
      let ready = listener.wait(
        with: clients.map(\.connection), acceptsMore: clients.count < Self.maximumClientCount,
        within: min(wait, Self.longestWait) + .milliseconds(1))
      // In reverse order, so that removing a client does not shift the remaining indices.
      for index in ready.readable.reversed() where hasEnded(clients[index].connection) { clients.remove(at: index) }
      guard ready.hasConnection, let connection = try listener.accept() else { continue }
      guard Self.answers(userID: connection.peerUserID) else { continue }
      clients.append(Client(connection: connection, deadline: .now + Self.requestTimeLimit))
    }
    keys.forgetAll()
  }

  /// Reads data from a client and answers once the request is complete. Returns true if the connection can be closed.
  private func hasEnded(_ connection: StreamTransport) -> Bool {
    do throws(TransportError) {
      switch try connection.receive(waitingAtMost: .zero) {
      case .nothing: return false
      case .frame(var frame):
        let request = AgentRequest(frame)
        frame.wipe()
        try answer(request, to: connection)
      case .end: break
      }
    } catch {
      // A client that disconnects early or sends no valid frame must not stop the agent.
    }
    return true
  }

  private func answer(_ request: AgentRequest?, to connection: StreamTransport) throws(TransportError) {
    // An expired key is neither returned nor listed.
    keys.forgetUnused(now: .now)
    var reply: [UInt8] = [0]
    switch request {
    case .key(let salt):
      if let secret = keys.secret(salt: [UInt8](salt), now: .now) {
        reply = []
        reply.reserveCapacity(1 + secret.count)
        reply.append(1)
        secret.withBytes { (secret) in reply += secret }
      }
    case .add(let path, let secret):
      if let key = VaultKey(secret: secret), keys.add(secret, of: path, salt: key.salt, now: .now) { reply = [1] }
    case .lock:
      keys.forgetAll()
      reply = [1]
    case .status:
      reply = [1] + status
    case .stop:
      isStopped = true
      // Before the reply: a client that receives it may start another agent immediately.
      keys.forgetAll()
      listener.withdraw()
      reply = [1]
    case nil: break
    }
    defer { reply.wipe() }
    try connection.send(reply)
  }

  private var status: [UInt8] {
    JSON.writeObject { (object) in
      object.write("process", .integer(CurrentProcess.identifier))
      object.write("lockAfter", lockAfter.map { (time) in .integer(time.components.seconds) } ?? .null)
      object.write("memoryIsLocked", .bool(keys.memoryIsLocked))
      object.writeArray("vaults") { (vaults) in
        for path in keys.paths { vaults.write(.string(path)) }
      }
    }
  }
}
