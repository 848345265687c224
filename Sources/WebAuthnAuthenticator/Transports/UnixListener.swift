// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A Unix socket at which a device can be plugged in: each connection is one, and its end pulls the device out.
public final class UnixListener: Sendable {
  private let path: String
  private let descriptor: Int32
  private let file: FileIdentity?

  /// Listens at `path`, for the owner alone. A socket that is left there and that nobody listens at any longer is taken
  /// away; anything else stays, and is an error.
  public init(path: String) throws(TransportError) {
    guard var address = sockaddr_un(path: path) else {
      throw TransportError(.cannotListen, "the path is longer than a socket's may be")
    }
    // Without the lock, two processes could find the same deserted socket, and one remove what the other has just made.
    let turn = Self.takeTurn(path)
    defer { turn?.unlock() }
    Self.removeDeserted(path, &address)
    // What an initializer that throws has set is taken down by deinit, which would remove a file that is another's.
    descriptor = try Self.listening(at: &address)
    self.path = path
    file = FileIdentity(ofSocketAt: path)
  }

  deinit {
    close(descriptor)
    withdraw()
  }

  /// Removes the socket's file, so that nobody can connect any more. For a process that is about to end, which releases
  /// nothing. A file that another process has put there since stays.
  public func withdraw() {
    guard let file, file == FileIdentity(ofSocketAt: path) else { return }
    unsafe unlink(path)
  }

  /// Waits for a connection, which is closed when it is released; nil where it broke off before it was one.
  public func accept() throws(TransportError) -> StreamTransport? {
    let connection = Glibc.accept(descriptor, nil, nil)
    if connection >= 0 { return StreamTransport(owning: connection) }
    guard errno == EINTR || errno == ECONNABORTED else {
      throw TransportError(.readFailed, SystemMessage.last)
    }
    return nil
  }

  /// Waits until a client connects; false where the time is up first.
  public func isReady(within limit: Duration) -> Bool {
    wait(with: [], within: limit).hasConnection
  }

  /// Waits until a client connects, where `acceptsMore`, or until one of `connections` can be read without waiting or has
  /// ended, and returns the indices of those. Returns nothing where the time is up first, or a signal came.
  public func wait(
    with connections: [StreamTransport], acceptsMore: Bool = true, within limit: Duration
  ) -> (hasConnection: Bool, readable: [Int]) {
    // A negative descriptor is passed over.
    var waiting = ([acceptsMore ? descriptor : -1] + connections.map(\.input)).map { (descriptor) in
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
    guard unsafe poll(&waiting, nfds_t(waiting.count), Int32(clamping: max(0, milliseconds))) > 0 else {
      return (false, [])
    }
    return (waiting[0].revents != 0, connections.indices.filter { (index) in waiting[index + 1].revents != 0 })
  }

  // 1 s  [to look at a socket and to bind one takes microseconds; any user who can read the folder can hold its lock]
  private static let turnAttempts = 100
  private static let turnPause: useconds_t = 10_000

  /// Locks the folder of a socket; nil where that cannot be done in a second.
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

  /// Takes away a socket that refuses connections: its process is gone.
  private static func removeDeserted(_ path: String, _ address: inout sockaddr_un) {
    guard FileIdentity(ofSocketAt: path) != nil else { return }
    // One whose queue is full has somebody who listens: nothing is waited for.
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { return }
    defer { close(probe) }
    let isConnected = unsafe address.withSocketAddress { (address, length) in unsafe connect(probe, address, length) }
    if isConnected != 0, errno == ECONNREFUSED { unsafe unlink(path) }
  }
}

/// Which file a path names, links not followed.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t

  /// Nil where there is no socket.
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
