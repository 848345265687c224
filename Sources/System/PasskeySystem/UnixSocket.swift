// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyLinux
internal import Glibc

/// Unix domain sockets. The returned descriptors are the caller's to close; child processes do not inherit them.
package enum UnixSocket {
  /// The kinds of Unix sockets.
  package enum Kind {
    case stream
    case datagram
  }

  /// Connects to the socket at a path.
  ///
  /// If `isBlocking` is false, no call on the descriptor blocks, and connecting to a listener whose queue is full throws
  /// `wouldBlock`. With a `sendTimeLimit`, connecting and each later call that sends throw `wouldBlock` after that time.
  package static func connect(
    to path: String, _ kind: Kind = .stream, isBlocking: Bool = true, sendTimeLimit: Duration? = nil
  ) throws(SystemError) -> FileDescriptor {
    var address = try sockaddr_un(path: path)
    let descriptor = try open(kind, isBlocking: isBlocking)
    do throws(SystemError) {
      if let sendTimeLimit {
        _ = try SystemError.check { limitSending(on: descriptor.number, to: sendTimeLimit) }
      }
      _ = try SystemError.check {
        unsafe address.withSocketAddress { (address, length) in
          unsafe Glibc.connect(descriptor.number, address, length)
        }
      }
      return descriptor
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Listens at a path, with access for the current user only.
  package static func listen(at path: String, backlog: Int32 = 8) throws(SystemError) -> FileDescriptor {
    var address = try sockaddr_un(path: path)
    let descriptor = try open(.stream, isBlocking: true)
    do throws(SystemError) {
      // The socket's file gets the mode of the socket. Setting it before the file exists cannot change another file.
      _ = try SystemError.check { fchmod(descriptor.number, 0o600) }
      _ = try SystemError.check {
        unsafe address.withSocketAddress { (address, length) in unsafe bind(descriptor.number, address, length) }
      }
      _ = try SystemError.check { Glibc.listen(descriptor.number, backlog) }
      return descriptor
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Accepts the next connection.
  package static func accept(from listener: FileDescriptor) throws(SystemError) -> FileDescriptor {
    FileDescriptor(number: try SystemError.check { passkey_accept(listener.number) })
  }

  /// Returns two connected stream sockets.
  package static func pair(isBlocking: Bool = true) throws(SystemError) -> (FileDescriptor, FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe socketpair(AF_UNIX, type(.stream, isBlocking: isBlocking), 0, &ends) }
    return (FileDescriptor(number: ends[0]), FileDescriptor(number: ends[1]))
  }

  private static func open(_ kind: Kind, isBlocking: Bool) throws(SystemError) -> FileDescriptor {
    FileDescriptor(number: try SystemError.check { socket(AF_UNIX, type(kind, isBlocking: isBlocking), 0) })
  }

  private static func type(_ kind: Kind, isBlocking: Bool) -> Int32 {
    let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
    return Int32(type.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue))
  }
}

extension FileDescriptor {
  /// Sends as many bytes over a socket as it takes at once. A broken connection is an error, not a signal.
  ///
  /// - Throws: `wouldBlock` if the socket takes none.
  package func send(_ bytes: [UInt8]) throws(SystemError) -> Int {
    try SystemError.check {
      unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
  }

  /// Sends all bytes over a blocking socket. A broken connection is an error, not a signal.
  ///
  /// - Throws: `wouldBlock` if the socket takes no bytes within its time limit.
  package func sendAll(_ bytes: [UInt8]) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let start = sent
      sent += try SystemError.check {
        unsafe bytes.withUnsafeBytes { (bytes) in
          unsafe Glibc.send(number, bytes.baseAddress?.advanced(by: start), bytes.count - start, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Receives the bytes that have arrived at a socket, at most `limit`; none if the peer has closed its side.
  ///
  /// - Throws: `wouldBlock` if no byte has arrived.
  package func receive(upTo limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try SystemError.check { unsafe recv(number, &bytes, limit, Int32(MSG_DONTWAIT)) }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Whether bytes have arrived at a socket and are not yet received.
  package var hasUnreadBytes: Bool {
    var byte: UInt8 = 0
    return unsafe recv(number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
  }

  /// The directions of a connection.
  package enum Direction {
    case sending
    case both
  }

  /// Ends a connection. Threads that wait for it see its end.
  package func shutDown(_ direction: Direction) {
    shutdown(number, Int32(direction == .sending ? SHUT_WR : SHUT_RDWR))
  }

  /// The user ID of the process at the other end of a Unix socket (SO_PEERCRED); nil for any other file.
  package var peerUserID: UInt32? {
    // struct ucred, which the C module does not export: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
    guard unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return credentials[1]
  }
}

extension sockaddr_un {
  /// The address of a path.
  ///
  /// - Throws: The error "file name too long" if the path does not fit.
  fileprivate init(path: String) throws(SystemError) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &sun_path) { (room) in
      // An empty path would be an abstract address; a byte remains zero.
      guard !bytes.isEmpty, bytes.count < room.count else { return false }
      unsafe room.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw SystemError(number: bytes.isEmpty ? EINVAL : ENAMETOOLONG) }
  }

  fileprivate mutating func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: &self) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Wakes a thread that waits for descriptors.
package final class WakeUp: Sendable {
  /// Ready for reading after ``ring()``, until ``clear()``.
  package let descriptor: FileDescriptor
  private let writing: FileDescriptor

  package init() throws(SystemError) {
    (descriptor, writing) = try UnixSocket.pair(isBlocking: false)
  }

  deinit {
    descriptor.close()
    writing.close()
  }

  package func ring() {
    // A full socket is ready for reading too.
    _ = try? writing.send([0])
  }

  /// Clears a single ``ring()``.
  ///
  /// - Returns: Whether there was one.
  package func take() -> Bool {
    (try? descriptor.receive(upTo: 1))?.isEmpty == false
  }

  package func clear() {
    while let bytes = try? descriptor.receive(upTo: 64), !bytes.isEmpty {}
  }
}
