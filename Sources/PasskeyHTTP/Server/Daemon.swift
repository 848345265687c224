// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import SystemCrypto

/// The library's server: its threads read and write, and call ``DaemonCallbacks``.
@safe final class Daemon: @unchecked Sendable {  // The handle is used by whoever holds the lock.
  private let handle: Locked<DaemonHandle?>
  private let service: ServerService
  private let socket: Int32
  /// Kept for as long as the library may look at it.
  private let texts: [CText]

  /// Wakes the one who sweeps when there is nothing left to sweep.
  let sweepBell = Bell()

  /// Starts the threads. `socket` listens already and stays the caller's.
  init(
    _ service: ServerService, socket: Int32, identity: (certificate: [UInt8], key: [UInt8])?
  ) throws(HTTPError) {
    let certificate = identity.map { CText($0.certificate) }
    let key = identity.map { CText($0.key) }
    let priorities = CText(Array(TLSFiles.priorities.utf8))
    var settings = unsafe passkey_daemon_settings(
      listening_socket: socket,
      thread_count: UInt32(clamping: max(1, service.threadCount)),
      connection_limit: UInt32(clamping: max(service.threadCount, service.limits.connections)),
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
    guard let handle = unsafe passkey_start_daemon(&settings) else {
      throw HTTPError(identity == nil ? .cannotStart : .certificateUnusable)
    }
    unsafe self.handle = Locked(DaemonHandle(pointer: handle))
    self.service = service
    self.socket = socket
    texts = [certificate, key, priorities].compactMap { $0 }
  }

  /// Takes no more connections.
  func quiesce() {
    handle.withLock { (handle) in
      guard let handle else { return }
      _ = unsafe MHD_quiesce_daemon(handle.pointer)
      // Those that wait in the system's queue, and those that come, are refused from now on.
      Descriptor.shutDown(socket)
    }
  }

  /// Ends the threads and all connections, none of which may be suspended.
  func stop() {
    handle.withLock { (handle) in
      guard let running = handle else { return }
      unsafe MHD_stop_daemon(running.pointer)
      handle = nil
    }
    sweepBell.ring()
  }

  /// Whether the threads have ended.
  var hasStopped: Bool { handle.withLock { $0 == nil } }
}

/// The handle itself, which only its owner uses.
@safe private struct DaemonHandle: @unchecked Sendable {
  let pointer: OpaquePointer
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
