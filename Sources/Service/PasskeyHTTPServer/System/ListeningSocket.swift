// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeySystem

/// A listening TCP socket.
final class ListeningSocket: Sendable {
  let descriptor: FileDescriptor

  /// The port, also if the system chose it.
  let port: UInt16

  // 1,024  [connections of a burst wait here while the threads are busy; the system caps it at its own limit]
  private static let backlog: Int32 = 1_024

  /// Listens on an address; with `::` on all IPv4 and IPv6 addresses.
  init(address: IPAddress, port: UInt16) throws(EndpointError) {
    descriptor = try mapError(Self.listening(address, port)) { (error: SystemError) in
      EndpointError(.cannotListen, detail: error.message)
    }
    self.port = Self.port(of: descriptor.number)
  }

  deinit {
    descriptor.close()
  }

  private static func listening(_ address: IPAddress, _ port: UInt16) throws(SystemError) -> FileDescriptor {
    let family = address.version == .four ? AF_INET : AF_INET6
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = try SystemError.check { socket(family, Int32(flags), 0) }
    do throws(SystemError) {
      try set(SOL_SOCKET, SO_REUSEADDR, to: 1, of: number)
      if address.version == .six {
        // Dual-stack for the unspecified address, IPv6 only for any other.
        try set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: address == IPAddress(v6: 0, 0) ? 0 : 1, of: number)
      }
      _ = try SystemError.check {
        unsafe address.withSocketAddress(port: port) { (address, length) in unsafe bind(number, address, length) }
      }
      _ = try SystemError.check { listen(number, backlog) }
      return FileDescriptor(number: number)
    } catch {
      FileDescriptor(number: number).close()
      throw error
    }
  }

  private static func set(
    _ level: Int32, _ name: Int32, to value: Int32, of number: Int32
  ) throws(SystemError) {
    var value = value
    _ = try SystemError.check {
      unsafe setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { (storage) in
      let address = UnsafeMutableRawPointer(storage)
      guard unsafe getsockname(descriptor, address.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
        return 0
      }
      // IPv4 and IPv6 have the port at the same offset.
      return unsafe UInt16(bigEndian: address.load(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
