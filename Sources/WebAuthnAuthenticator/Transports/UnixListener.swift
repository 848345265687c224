// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A listening Unix socket. Each connection inserts a device, and its end removes it.
public final class UnixListener: Sendable {
  private let path: String
  private let descriptor: Int32
  private let file: FileIdentity?

  /// Listens at `path`, with access for the owner only. Replaces a stale socket, at which no process listens. Throws if
  /// anything else exists at the path.
  public init(path: String) throws(TransportError) {
    guard var address = sockaddr_un(path: path) else {
      throw TransportError(.cannotListen, "the path is longer than a socket's may be")
    }
    // Without the lock, two processes could find the same stale socket, and one could remove the socket that the other
    // has just created.
    let turn = Self.takeTurn(path)
    defer { turn?.unlock() }
    Self.removeDeserted(path, &address)
    // Bind before setting the other properties: if all are set, a throwing initializer runs `deinit`, which would
    // remove another process's socket.
    descriptor = try Self.listening(at: &address)
    self.path = path
    file = FileIdentity(ofSocketAt: path)
  }

  deinit {
    close(descriptor)
    withdraw()
  }

  /// Removes the socket file, so that no more clients can connect. Call it before the process exits, because exiting
  /// does not run `deinit`. A socket that another process has created at the path is kept.
  public func withdraw() {
    guard let file, file == FileIdentity(ofSocketAt: path) else { return }
    unsafe unlink(path)
  }

  /// Waits for a connection. Returns nil if a signal interrupts the wait or the client aborts the connection.
  public func accept() throws(TransportError) -> StreamTransport? {
    let connection = Glibc.accept(descriptor, nil, nil)
    if connection >= 0 { return StreamTransport(owning: connection) }
    guard errno == EINTR || errno == ECONNABORTED else {
      throw TransportError(.readFailed, SystemMessage.last)
    }
    return nil
  }

  /// Waits until a client connects. Returns false on time-out.
  public func isReady(within limit: Duration) -> Bool {
    wait(with: [], within: limit).hasConnection
  }

  /// Waits until a client connects (if `acceptsMore`) or until one of `connections` is readable or has ended. Returns
  /// whether a client is waiting, and the indices of those connections. Returns neither on time-out or after a signal.
  public func wait(
    with connections: [StreamTransport], acceptsMore: Bool = true, within limit: Duration
  ) -> (hasConnection: Bool, readable: [Int]) {
    // poll ignores a negative descriptor.
    var waiting = ([acceptsMore ? descriptor : -1] + connections.map(\.input)).map { (descriptor) in
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
    guard unsafe poll(&waiting, nfds_t(waiting.count), Int32(clamping: max(0, milliseconds))) > 0 else {
      return (false, [])
    }
    return (waiting[0].revents != 0, connections.indices.filter { (index) in waiting[index + 1].revents != 0 })
  }

  // 1 s  [checking and binding a socket take microseconds; any user who can read the folder can hold its lock]
  private static let turnAttempts = 100
  private static let turnPause: useconds_t = 10_000

  /// Locks the socket's folder. Returns nil if that fails for a second.
  private static func takeTurn(_ path: String) -> OpenFile? {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { (slash) in String(path[...slash]) } ?? "."
    guard let file = OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return nil }
    for _ in 0..<turnAttempts {
      if file.lockAtOnce() { return file }
      usleep(turnPause)
    }
    return nil
  }

  private static func listening(at address: inout sockaddr_un) throws(TransportError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TransportError(.cannotListen, SystemMessage.last) }
    let before = umask(0o177)
    let bound = unsafe address.withSocketAddress { (address, length) in unsafe bind(descriptor, address, length) }
    umask(before)
    guard bound == 0, listen(descriptor, 8) == 0 else {
      let failure = SystemMessage.last
      close(descriptor)
      throw TransportError(.cannotListen, failure)
    }
    return descriptor
  }

  /// Removes a socket that refuses connections, because its process has exited.
  private static func removeDeserted(_ path: String, _ address: inout sockaddr_un) {
    guard FileIdentity(ofSocketAt: path) != nil else { return }
    // A non-blocking connect: a full queue means that a process listens, and must not block.
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { return }
    defer { close(probe) }
    let isConnected = unsafe address.withSocketAddress { (address, length) in unsafe connect(probe, address, length) }
    if isConnected != 0, errno == ECONNREFUSED { unsafe unlink(path) }
  }
}

/// The identity of a file, without following links.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t

  /// Returns nil if the path is not a socket.
  init?(ofSocketAt path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    device = status.st_dev
    inode = status.st_ino
  }
}

extension sockaddr_un {
  init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &sun_path) { (room) in
      guard bytes.count < room.count else { return false }
      unsafe room.copyBytes(from: bytes)
      return true
    }
    guard fits else { return nil }
  }

  mutating func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: &self) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
