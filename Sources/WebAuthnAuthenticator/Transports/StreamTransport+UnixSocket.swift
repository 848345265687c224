// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension StreamTransport {
  // 10 s  [a running server accepts a connection and reads a request within milliseconds]
  private static let connectionTimeLimit = timeval(tv_sec: 10, tv_usec: 0)

  /// Connects to the Unix socket at `path`. Connecting and each later write time out after ten seconds.
  public static func connected(toUnixSocket path: String) throws(TransportError) -> StreamTransport {
    guard var address = sockaddr_un(path: path) else {
      throw TransportError(.cannotConnect, "the path is longer than a socket's may be")
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TransportError(.cannotConnect, SystemMessage.last) }
    var limit = connectionTimeLimit
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = unsafe address.withSocketAddress { (address, length) in
      unsafe connect(descriptor, address, length)
    }
    guard isConnected == 0 else {
      let failure = SystemMessage.last
      close(descriptor)
      throw TransportError(.cannotConnect, failure)
    }
    return StreamTransport(owning: descriptor)
  }

  /// The user ID of the process at the other end of a Unix socket (SO_PEERCRED); nil for any other stream.
  public var peerUserID: UInt32? {
    // struct ucred, which the Glibc module does not export: process, user and group ID.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
    guard unsafe getsockopt(input, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
    return credentials[1]
  }
}
