// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import SystemCrypto
internal import SystemIO

/// The library's servers, one for each thread, which read and write and call ``DaemonCallbacks``.
///
/// They share a listening socket. The library has a pool of threads of its own, but to take no more connections can
/// abort the process there: the one who says so and the thread concerned both take the socket away, and the pool does not
/// expect that.
@safe final class Daemon: @unchecked Sendable {  // The handles are used by whoever holds the lock.
  private struct State {
    var handles: [DaemonHandle]
    var quiesced: ContinuousClock.Instant?
  }

  private let state: Locked<State>
  // What follows is kept for as long as the library may look at it.
  private let intake: Intake
  private let certificate: CText?
  private let key: CText?
  private let priorities: CText
  private let log: ReportTarget

  /// Starts the threads. `socket` listens already.
  init(_ service: ServerService, socket: ListeningSocket, identity: TLSIdentity?) throws(HTTPError) {
    let intake = Intake(service)
    let certificate = identity.map { CText($0.certificate) }
    let key = identity.map { CText($0.key) }
    let priorities = CText(Array(TLSFiles.priorities.utf8))
    let log = ReportTarget(intake)
    let threadCount = max(1, service.threadCount)
    var settings = unsafe passkey_daemon_settings(
      listening_socket: -1,
      connection_limit: UInt32(clamping: service.limits.acceptedConnections),
      inactivity_seconds: UInt32(clamping: max(1, service.limits.inactivity.components.seconds)),
      memory_per_connection: ServerLimits.memoryPerConnection,
      certificate: certificate?.pointer,
      key: key?.pointer,
      priorities: priorities.pointer,
      context: Unmanaged.passUnretained(intake).toOpaque(),
      admits: DaemonCallbacks.admits,
      handles: DaemonCallbacks.handles,
      begins: DaemonCallbacks.begins,
      completes: DaemonCallbacks.completes,
      connects: DaemonCallbacks.connects,
      log: log.pointer,
      unescapes: DaemonCallbacks.unescapes)
    var started: [DaemonHandle] = []
    for _ in 0..<threadCount {
      // Each has a descriptor of its own. Where it does not start, the library has closed it already.
      let listening = Descriptor.duplicate(socket.descriptor)
      unsafe settings.listening_socket = listening
      guard listening >= 0, let handle = unsafe passkey_start_daemon(&settings) else { break }
      unsafe started.append(DaemonHandle(pointer: handle, listening: listening))
    }
    state = Locked(State(handles: started))
    self.intake = intake
    self.certificate = certificate
    self.key = key
    self.priorities = priorities
    self.log = log
    guard started.count == threadCount else {
      quiesce()
      stop()
      throw HTTPError(identity == nil ? .cannotStart : .certificateUnusable)
    }
  }

  /// Whether this is the certificate, and the key, with which it started.
  func shows(_ identity: TLSIdentity) -> Bool {
    certificate?.holds(identity.certificate) == true && key?.holds(identity.key) == true
  }

  /// Takes no more connections; the socket still listens.
  func quiesce() {
    state.withLock { (state) in
      guard state.quiesced == nil else { return }
      state.quiesced = .now
      for handle in state.handles { _ = unsafe MHD_quiesce_daemon(handle.pointer) }
    }
  }

  /// Takes no more connections, and ends each that there is with its next answer. One that waits for a request may wait on:
  /// whoever is sending it at this moment would lose it.
  func retire() {
    intake.retire()
    quiesce()
  }

  /// Whether it takes no more connections and has none.
  func isOver(at now: ContinuousClock.Instant) -> Bool {
    // A connection that a thread was taking at the last moment is counted by then.
    let quiesced = state.withLock { $0.quiesced }
    return quiesced.map { $0 + .seconds(1) <= now } == true && intake.isEmpty
  }

  /// Ends the threads and all connections, none of which may be suspended. Connections are taken no more already.
  func stop() {
    state.withLock { (state) in
      for handle in state.handles {
        unsafe MHD_stop_daemon(handle.pointer)
        Descriptor.close(handle.listening)
      }
      state.handles = []
    }
  }

  /// Whether the threads have ended.
  var hasStopped: Bool { state.withLock { $0.handles.isEmpty } }
}

/// The handle itself, which only its owner uses, and the descriptor that was made for it.
@safe private struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  let listening: Int32
}

/// Where the library's reports go, at an address that does not change.
@safe private final class ReportTarget: @unchecked Sendable {  // Nothing changes it.
  let pointer: UnsafeMutablePointer<passkey_log>

  init(_ intake: Intake) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(
      to: passkey_log(
        context: Unmanaged.passUnretained(intake).toOpaque(), answers_by_itself: DaemonCallbacks.answersByItself))
  }

  deinit {
    unsafe pointer.deallocate()
  }
}

/// A text that C reads, at an address that does not change.
@safe private final class CText: @unchecked Sendable {  // Nothing changes it.
  let pointer: UnsafePointer<CChar>
  private let count: Int

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
    unsafe copy[bytes.count] = 0
    unsafe pointer = UnsafePointer(copy)
    count = bytes.count
  }

  /// Whether it is this one.
  func holds(_ bytes: [UInt8]) -> Bool {
    bytes.count == count && bytes.indices.allSatisfy { unsafe UInt8(bitPattern: pointer[$0]) == bytes[$0] }
  }

  deinit {
    unsafe pointer.deallocate()
  }
}
