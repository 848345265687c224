// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyMicroHTTPD
internal import PasskeyCrypto
internal import PasskeyHTTP
internal import PasskeySystem
internal import Synchronization

/// A group of libmicrohttpd daemons, one per ``DaemonThread``, that share a listening socket and call ``DaemonCallbacks``.
///
/// The library's own threads are not used. Quiescing its pool can abort the process: both the quiescing thread and the
/// worker thread remove the listening socket, which the pool does not expect. And a thread of version 0.9.75 that
/// receives exactly 128 events waits for another one before it handles them, until connections time out.
@safe final class DaemonGroup: @unchecked Sendable {  // The lock guards the handles.
  private struct State {
    var handles: [DaemonHandle]
    var quiesced: ContinuousClock.Instant?
  }

  private let state: Locked<State>
  // The library may read these values while its threads run, so they are kept until then.
  private let daemon: DaemonState
  private let certificate: CString?
  private let key: CString?
  private let priorities: CString
  private let log: LogTarget

  /// Starts the threads. `socket` must already be listening.
  init(_ server: ServerState, socket: ListeningSocket, identity: TLSIdentity?) throws(EndpointError) {
    let daemon = DaemonState(server)
    let certificate = identity.map { CString($0.certificate) }
    let key = identity.map { CString($0.key) }
    let priorities = CString(Array(TLSFiles.priorities.utf8))
    let log = LogTarget(daemon)
    let threadCount = max(1, server.threadCount)
    var settings = unsafe passkey_daemon_settings(
      listening_socket: -1,
      waker: -1,
      connection_limit: UInt32(clamping: server.limits.acceptedConnections),
      inactivity_seconds: UInt32(clamping: max(1, server.limits.inactivity.components.seconds)),
      memory_per_connection: ServerLimits.memoryPerConnection,
      certificate: certificate?.pointer,
      key: key?.pointer,
      priorities: priorities.pointer,
      context: nil,
      admits: DaemonCallbacks.accept,
      handles: DaemonCallbacks.receive,
      begins: DaemonCallbacks.beginRequest,
      completes: DaemonCallbacks.endRequest,
      connects: DaemonCallbacks.connectionChanged,
      log: log.pointer,
      unescapes: DaemonCallbacks.unescape)
    var started: [DaemonHandle] = []
    for _ in 0..<threadCount {
      let thread = DaemonThread(daemon)
      // Each daemon has its own descriptor. If the start fails, the library has already closed it.
      guard let listening = try? socket.descriptor.duplicate() else { break }
      unsafe settings.listening_socket = listening.number
      unsafe settings.waker = thread.waker
      unsafe settings.context = Unmanaged.passUnretained(thread).toOpaque()
      guard let handle = unsafe passkey_start_daemon(&settings) else { break }
      unsafe started.append(DaemonHandle(pointer: handle, thread: thread, listening: listening))
    }
    state = Locked(State(handles: started))
    self.daemon = daemon
    self.certificate = certificate
    self.key = key
    self.priorities = priorities
    self.log = log
    let runs = started.allSatisfy { $0.thread.start($0) }
    guard runs, started.count == threadCount else {
      quiesce()
      stop()
      throw EndpointError(identity == nil || !runs ? .cannotStart : .certificateUnusable)
    }
  }

  /// Returns whether the daemon was started with this certificate and key.
  func uses(_ identity: TLSIdentity) -> Bool {
    certificate?.equals(identity.certificate) == true && key?.equals(identity.key) == true
  }

  /// Stops accepting connections; the socket keeps listening.
  func quiesce() {
    state.withLock { (state) in
      guard state.quiesced == nil else { return }
      state.quiesced = .now
      daemon.quiesce()
      for handle in state.handles { handle.thread.wake() }
      // A handler on one of the threads may be the caller, so the wait is limited.
      _ = daemon.acceptingCount.wait(until: .now + .seconds(1)) { $0 == 0 ? () : nil }
    }
  }

  /// Stops accepting connections, and closes each open connection after its next response.
  ///
  /// Connections that wait for a request stay open, because the client may be sending one.
  func retire() {
    daemon.retire()
    quiesce()
  }

  /// Returns whether the daemon has stopped accepting and has no connections left.
  func isDrained(at now: ContinuousClock.Instant) -> Bool {
    // After one second, a connection that a thread was accepting at that moment has been counted.
    let quiesced = state.withLock { $0.quiesced }
    return quiesced.map { $0 + .seconds(1) <= now } == true && daemon.isEmpty
  }

  /// Stops the threads and closes all connections. Call `quiesce()` first; no connection may be suspended.
  func stop() {
    daemon.stop()
    for thread in state.withLock({ $0.handles.map(\.thread) }) { thread.wake() }
    daemon.runningCount.wait { $0 == 0 ? () : nil }
    state.withLock { (state) in
      for handle in state.handles {
        // A quiesced daemon does not close the socket.
        _ = unsafe MHD_quiesce_daemon(handle.pointer)
        unsafe MHD_stop_daemon(handle.pointer)
        handle.listening.close()
      }
      state.handles = []
    }
  }

  /// Whether the threads have stopped.
  var hasStopped: Bool { state.withLock { $0.handles.isEmpty } }
}

/// The library's handle, its thread, and the descriptor that was duplicated for it.
@safe struct DaemonHandle: @unchecked Sendable {  // The thread uses it until its end, `DaemonGroup` afterwards.
  let pointer: OpaquePointer
  let thread: DaemonThread
  let listening: FileDescriptor
}

/// The target of the library's log messages, at a stable address.
@safe private final class LogTarget: @unchecked Sendable {  // Immutable.
  let pointer: UnsafeMutablePointer<passkey_log>

  init(_ daemon: DaemonState) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(
      to: passkey_log(
        context: Unmanaged.passUnretained(daemon).toOpaque(), answers_by_itself: DaemonCallbacks.libraryResponds))
  }

  deinit {
    unsafe pointer.deallocate()
  }
}

/// A C string at a stable address.
@safe private final class CString: @unchecked Sendable {  // Immutable.
  let pointer: UnsafePointer<CChar>
  private let count: Int

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
    unsafe copy[bytes.count] = 0
    unsafe pointer = UnsafePointer(copy)
    count = bytes.count
  }

  /// Returns whether the string consists of these bytes.
  func equals(_ bytes: [UInt8]) -> Bool {
    bytes.count == count && bytes.indices.allSatisfy { unsafe UInt8(bitPattern: pointer[$0]) == bytes[$0] }
  }

  deinit {
    unsafe pointer.deallocate()
  }
}

/// The state that the threads and connections of a group share: the server, the connection count and whether the group is
/// retiring or stopping.
final class DaemonState: Sendable {
  let server: ServerState
  /// The threads that run, and those that accept connections.
  let runningCount = Locked(0)
  let acceptingCount = Locked(0)
  private let connections = Atomic(0)
  private let retiring = Atomic(false)
  private let quiesced = Atomic(false)
  private let stopping = Atomic(false)

  init(_ server: ServerState) {
    self.server = server
  }

  func addConnection() { connections.wrappingAdd(1, ordering: .relaxed) }

  func removeConnection() { connections.wrappingSubtract(1, ordering: .relaxed) }

  var isEmpty: Bool { connections.load(ordering: .relaxed) == 0 }

  /// Makes each connection close after its next response.
  func retire() { retiring.store(true, ordering: .relaxed) }

  var isRetiring: Bool { retiring.load(ordering: .relaxed) }

  /// Makes the threads stop accepting connections.
  func quiesce() { quiesced.store(true, ordering: .relaxed) }

  var isQuiesced: Bool { quiesced.load(ordering: .relaxed) }

  /// Makes the threads end.
  func stop() { stopping.store(true, ordering: .relaxed) }

  var isStopping: Bool { stopping.load(ordering: .relaxed) }
}
