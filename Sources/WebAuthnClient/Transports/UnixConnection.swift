// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A connection to a Unix socket.
enum UnixConnection {
  /// Connects without blocking. A listener whose queue is full counts as busy.
  static func open(_ path: String) throws(ClientError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { (room) in
      guard !bytes.isEmpty, bytes.count < room.count else { return false }
      unsafe room.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw ClientError(.authenticatorFailed, "no socket's path has \(bytes.count) bytes") }
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let connection = socket(AF_UNIX, Int32(kind), 0)
    guard connection >= 0 else { throw ClientError(.authenticatorFailed, "no socket: \(SystemMessage.last)") }
    let result = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe connect(connection, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let words = SystemMessage.last
      close(connection)
      throw ClientError(.authenticatorFailed, "no device at \(path): \(words)")
    }
    return connection
  }
}
