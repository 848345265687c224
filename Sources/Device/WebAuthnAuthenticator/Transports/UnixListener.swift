// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeySystem

/// A listening Unix socket. Each connection inserts a device, and its end removes it. Thread-safe.
package final class UnixListener: Sendable {
  private let path: String
  private let descriptor: FileDescriptor
  private let file: FileStatus.Identity?

  // 1 s  [checking and binding a socket take microseconds; any user who can read the folder can hold its lock]
  private static let folderLockTimeLimit = Duration.seconds(1)

  /// Listens at `path`, with access for the owner only. Replaces a stale socket, at which no process listens.
  ///
  /// - Throws: `transport.cannot-listen`, also if anything else exists at the path.
  package init(path: String) throws(TransportError) {
    // Without the lock, two processes could find the same stale socket, and one could remove the socket that the other
    // has just created.
    let folder = try? OpenFile(FileReplacement.parentFolder(of: path), [.reading, .folder])
    _ = try? folder?.lock(until: .now + Self.folderLockTimeLimit)
    defer { folder?.unlock() }
    Self.removeStaleSocket(path)
    // Bind before setting the other properties: if all are set, a throwing initializer runs `deinit`, which would
    // remove another process's socket.
    descriptor = try mapError(UnixSocket.listen(at: path)) { (error: SystemError) in
      TransportError(.cannotListen, error)
    }
    self.path = path
    file = Self.identity(ofSocketAt: path)
  }

  deinit {
    descriptor.close()
    withdraw()
  }

  /// Removes the socket file, so that no more clients can connect. Call it before the process exits, because exiting
  /// does not run `deinit`. A socket that another process has created at the path is kept.
  package func withdraw() {
    guard let file, file == Self.identity(ofSocketAt: path) else { return }
    try? Folder.deleteFile(path)
  }

  /// Waits for a connection.
  ///
  /// - Returns: The connection, or nil if the client has aborted it.
  /// - Throws: `transport.read-failed`.
  package func accept() throws(TransportError) -> StreamTransport? {
    try acceptDescriptor().map { (connection) in StreamTransport(owning: connection) }
  }

  /// Waits for a connection.
  ///
  /// - Returns: Its descriptor, which the caller closes, or nil if the client has aborted it.
  /// - Throws: `transport.read-failed`.
  package func acceptDescriptor() throws(TransportError) -> FileDescriptor? {
    do throws(SystemError) {
      return try UnixSocket.accept(from: descriptor)
    } catch {
      if error == .connectionAborted { return nil }
      throw TransportError(.readFailed, error)
    }
  }

  /// Waits until a client connects. Returns false on time-out.
  package func isReady(within limit: Duration) -> Bool {
    wait(with: [], within: limit).hasConnection
  }

  /// Waits until a client connects (if `acceptsMore`) or until one of `connections` is readable or has ended. Returns
  /// whether a client is waiting, and the indices of those connections. Returns neither on time-out.
  package func wait(
    with connections: [StreamTransport], acceptsMore: Bool = true, within limit: Duration
  ) -> (hasConnection: Bool, readable: [Int]) {
    let inputs = connections.map(\.input) + (acceptsMore ? [descriptor] : [])
    let isReady = FileDescriptor.wait(for: inputs.map { (input) in (input, .reading) }, until: .now + limit)
    return (
      acceptsMore && isReady.last == true, connections.indices.filter { (index) in isReady[index] }
    )
  }

  /// Removes a socket that refuses connections, because its process has exited.
  private static func removeStaleSocket(_ path: String) {
    guard identity(ofSocketAt: path) != nil else { return }
    do throws(SystemError) {
      // A full queue means that a process listens, and must not block.
      try UnixSocket.connect(to: path, isBlocking: false).close()
    } catch {
      if error == .connectionRefused { try? Folder.deleteFile(path) }
    }
  }

  /// The identity of the socket at a path, without following links; nil if there is no socket.
  private static func identity(ofSocketAt path: String) -> FileStatus.Identity? {
    guard let status = try? FileStatus(ofFileAt: path, followingLinks: false) else { return nil }
    return status.kind == .socket ? status.identity : nil
  }
}
