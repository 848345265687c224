// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// The daemons of a server: the one that takes connections, and those before it, whose connections come to their end.
///
/// The library reads a certificate when a daemon starts, and never again. So another certificate is another daemon on the
/// same socket, which never stops listening: what waits in its queue is taken by whichever daemon comes first.
final class Daemons: Sendable {
  private struct State {
    var current: Daemon
    var retired: [Daemon] = []
    var takesConnections = true
    var hasStopped = false
  }

  private let service: ServerService
  private let socket: ListeningSocket
  private let state: Locked<State>

  /// Wakes the one who sweeps when there is nothing left to sweep.
  let sweepBell = Bell()

  /// Starts the first one. `socket` listens already.
  init(_ service: ServerService, socket: ListeningSocket, identity: TLSIdentity?) throws(HTTPError) {
    self.service = service
    self.socket = socket
    state = Locked(State(current: try Daemon(service, socket: socket, identity: identity)))
  }

  /// Has connections taken by a daemon with this identity from now on; false where it is the one in use, or the server ends.
  /// Where the daemon does not start, all is as it was.
  func renew(_ identity: TLSIdentity?) throws(HTTPError) -> Bool {
    try state.withLock { (state) throws(HTTPError) in
      guard state.takesConnections, identity.map({ !state.current.shows($0) }) ?? true else { return false }
      let next = try Daemon(service, socket: socket, identity: identity)
      state.current.retire()
      state.retired.append(state.current)
      state.current = next
      return true
    }
  }

  /// Stops those whose last connection has ended.
  func sweep() {
    let now = ContinuousClock.now
    for daemon in state.withLock({ $0.retired }) where daemon.isOver(at: now) { daemon.stop() }
    state.withLock { (state) in state.retired.removeAll { $0.hasStopped } }
  }

  /// Takes no more connections.
  func quiesce() {
    state.withLock { (state) in
      state.takesConnections = false
      state.current.quiesce()
    }
    // Those that wait in the system's queue, and those that come, are refused from now on.
    Descriptor.shutDown(socket.descriptor)
  }

  /// Ends the threads and all connections, none of which may be suspended. Connections are taken no more already.
  func stop() {
    for daemon in state.withLock({ $0.retired + [$0.current] }) { daemon.stop() }
    state.withLock { $0.hasStopped = true }
    sweepBell.ring()
  }

  /// Whether all threads have ended.
  var hasStopped: Bool { state.withLock { $0.hasStopped } }

  /// How many there are: one, but for the time after a renewal.
  var count: Int { state.withLock { $0.retired.count + 1 } }
}
