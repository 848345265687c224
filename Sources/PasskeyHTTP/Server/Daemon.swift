// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import SystemCrypto

/// The library's servers, one for each thread, which read and write and call ``DaemonCallbacks``.
///
/// They share a listening socket. The library has a pool of threads of its own, but to take no more connections can
/// abort the process there: the one who says so and the thread concerned both take the socket away, and the pool does not
/// expect that.
@safe final class Daemon: @unchecked Sendable {  // The handles are used by whoever holds the lock.
  private let handles: Locked<[DaemonHandle]>
  private let service: ServerService
  private let socket: ListeningSocket
  /// Kept for as long as the library may look at it.
  private let texts: [CText]

  /// Wakes the one who sweeps when there is nothing left to sweep.
  let sweepBell = Bell()

  /// Starts the threads. `socket` listens already.
  init(
    _ service: ServerService, socket: ListeningSocket, identity: (certificate: [UInt8], key: [UInt8])?
  ) throws(HTTPError) {
    let certificate = identity.map { CText($0.certificate) }
    let key = identity.map { CText($0.key) }
    let priorities = CText(Array(TLSFiles.priorities.utf8))
    let threadCount = max(1, service.threadCount)
    var settings = unsafe passkey_daemon_settings(
      listening_socket: -1,
      connection_limit: UInt32(clamping: max(1, service.limits.connections / threadCount)),
      inactivity_seconds: UInt32(clamping: max(1, service.limits.inactivity.components.seconds)),
      memory_per_connection: ServerLimits.memoryPerConnection,
      certificate: certificate?.pointer,
      key: key?.pointer,
      priorities: priorities.pointer,
      context: Unmanaged.passUnretained(service).toOpaque(),
      admits: DaemonCallbacks.admits,
      handles: DaemonCallbacks.handles,
      begins: DaemonCallbacks.begins,
      completes: DaemonCallbacks.completes,
      connects: DaemonCallbacks.connects,
      unescapes: DaemonCallbacks.unescapes)
    var started: [DaemonHandle] = []
    for _ in 0..<threadCount {
      // Each has a descriptor of its own. Where it does not start, the library has closed it already.
      let listening = Descriptor.duplicate(socket.descriptor)
      unsafe settings.listening_socket = listening
      guard listening >= 0, let handle = unsafe passkey_start_daemon(&settings) else { break }
      unsafe started.append(DaemonHandle(pointer: handle, listening: listening))
    }
    handles = Locked(started)
    self.service = service
    self.socket = socket
    texts = [certificate, key, priorities].compactMap { $0 }
    guard started.count == threadCount else {
      quiesce()
      stop()
      throw HTTPError(identity == nil ? .cannotStart : .certificateUnusable)
    }
  }

  /// Takes no more connections.
  func quiesce() {
    handles.withLock { (handles) in
      for handle in handles { _ = unsafe MHD_quiesce_daemon(handle.pointer) }
    }
    // Those that wait in the system's queue, and those that come, are refused from now on.
    Descriptor.shutDown(socket.descriptor)
  }

  /// Ends the threads and all connections, none of which may be suspended. Connections are taken no more already.
  func stop() {
    handles.withLock { (handles) in
      for handle in handles {
        unsafe MHD_stop_daemon(handle.pointer)
        Descriptor.close(handle.listening)
      }
      handles = []
    }
    sweepBell.ring()
  }

  /// Whether the threads have ended.
  var hasStopped: Bool { handles.withLock { $0.isEmpty } }
}

/// The handle itself, which only its owner uses, and the descriptor that was made for it.
@safe private struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  let listening: Int32
}

/// A text that C reads, at an address that does not change.
@safe private final class CText: @unchecked Sendable {  // Nothing changes it.
  let pointer: UnsafePointer<CChar>

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
    unsafe copy[bytes.count] = 0
    unsafe pointer = UnsafePointer(copy)
  }

  deinit {
    unsafe pointer.deallocate()
  }
}
