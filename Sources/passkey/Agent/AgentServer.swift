// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WireFormats

/// The agent: keeps the keys of vaults and gives them to programs of the same user.
final class AgentServer {
  private let listener: UnixListener
  private let lockAfter: Duration?
  private var keys: KeyRing
  private var isStopped = false

  // 5 s  [a client sends its request at once; one that does not holds the others up no longer than that]
  private static let requestTimeLimit = Duration.seconds(5)
  private static let longestWait = Duration.seconds(3600)

  init(_ listener: UnixListener, lockAfter: Duration?) {
    self.listener = listener
    self.lockAfter = lockAfter
    keys = KeyRing(lockAfter: lockAfter)
  }

  /// Keeps the key of an open vault.
  func add(_ vault: FileVault) {
    _ = keys.add(vault.key.secret, of: vault.absolutePath, salt: vault.key.salt, now: .now)
  }

  /// Serves until a client stops the agent.
  func serve() throws(TransportError) {
    while !isStopped {
      let wait = keys.forgetUnused(now: .now) ?? Self.longestWait
      // A millisecond more, so that the time is up when it is looked at again.
      guard listener.isReady(within: min(wait, Self.longestWait) + .milliseconds(1)) else { continue }
      guard let connection = try listener.accept(), connection.peerUserID == geteuid() else { continue }
      // A client that leaves early is no reason to end.
      try? answer(connection)
    }
    keys.forgetAll()
  }

  private func answer(_ connection: StreamTransport) throws(TransportError) {
    guard case .frame(var frame) = try connection.receive(waitingAtMost: Self.requestTimeLimit) else { return }
    let request = AgentRequest(frame)
    frame.wipe()
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
      // Before the answer: whoever has it may start another agent.
      keys.forgetAll()
      listener.withdraw()
      reply = [1]
    case nil: break
    }
    defer { reply.wipe() }
    try connection.send(reply[...])
  }

  private var status: [UInt8] {
    JSON.writeObject { (object) in
      object.write("process", .integer(getpid()))
      object.write("lockAfter", lockAfter.map { (time) in .integer(time.components.seconds) } ?? .null)
      object.write("memoryIsLocked", .bool(LockedSecret.isAvailable))
      object.writeArray("vaults") { (vaults) in
        for path in keys.paths { vaults.write(.string(path)) }
      }
    }
  }
}
