// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyHTTP
internal import PasskeySystem

/// The daemons of a server: the current one, which accepts connections, and retired ones, which are draining.
///
/// The library reads a certificate only when a daemon starts. A new certificate therefore needs a new daemon on the
/// same socket, which keeps listening: the first free daemon accepts the connections in the backlog.
final class DaemonGenerations: Sendable {
  private struct State {
    var current: DaemonGroup
    var retired: [DaemonGroup] = []
    var acceptsConnections = true
    var hasStopped = false
  }

  private let server: ServerState
  private let socket: ListeningSocket
  private let state: Locked<State>

  /// Starts the first daemon. `socket` must already be listening.
  init(_ server: ServerState, socket: ListeningSocket, identity: TLSIdentity?) throws(EndpointError) {
    self.server = server
    self.socket = socket
    state = Locked(State(current: try DaemonGroup(server, socket: socket, identity: identity)))
  }

  /// Starts a daemon with this identity and retires the current one.
  ///
  /// Returns false if the identity is already in use or the server is stopping. If the new daemon does not start, the
  /// current one stays in use.
  func renew(_ identity: TLSIdentity?) throws(EndpointError) -> Bool {
    try state.withLock { (state) throws(EndpointError) in
      guard state.acceptsConnections, identity.map({ !state.current.uses($0) }) ?? true else { return false }
      let next = try DaemonGroup(server, socket: socket, identity: identity)
      state.current.retire()
      state.retired.append(state.current)
      state.current = next
      return true
    }
  }

  /// Stops retired daemons without open connections.
  func sweep() {
    let now = ContinuousClock.now
    for daemon in state.withLock({ $0.retired }) where daemon.isDrained(at: now) { daemon.stop() }
    state.withLock { (state) in state.retired.removeAll { $0.hasStopped } }
  }

  // A quarter of a second  [the threads accept some thousand connections in that time; a flood must not delay the end]
  private static let backlogLimit = Duration.milliseconds(250)

  /// Stops accepting connections, once those in the backlog are accepted.
  func quiesce() {
    // The clients of those may have sent requests already.
    let limit = ContinuousClock.now + Self.backlogLimit
    while .now < limit, socket.descriptor.wait(for: .reading, until: .now) {
      SystemThread.sleep(until: .now + .milliseconds(1))
    }
    state.withLock { (state) in
      state.acceptsConnections = false
      state.current.quiesce()
    }
    // From now on, the system refuses new connections.
    socket.descriptor.shutDown(.both)
  }

  /// Stops the threads and closes all connections. Call `quiesce()` first; no connection may be suspended.
  func stop() {
    for daemon in state.withLock({ $0.retired + [$0.current] }) { daemon.stop() }
    state.update { $0.hasStopped = true }
  }

  /// Whether all threads have stopped.
  var hasStopped: Bool { state.withLock { $0.hasStopped } }

  /// Blocks until all threads have stopped, at most until `deadline`. Returns whether they have.
  func waitUntilStopped(until deadline: ContinuousClock.Instant) -> Bool {
    state.wait(until: deadline) { $0.hasStopped ? true : nil } ?? false
  }

  /// Blocks until all threads have stopped.
  func waitUntilStopped() {
    state.wait { $0.hasStopped ? () : nil }
  }

  /// The number of daemons: one, or more while retired ones drain after a certificate renewal.
  var count: Int { state.withLock { $0.retired.count + 1 } }
}
