// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// TCP sockets at 127.0.0.1, which only processes of this machine can reach.
package enum LoopbackSocket {
  /// Listens at a port, or at a free one if the port is 0. Child processes do not inherit the descriptor, which is the
  /// caller's to close.
  ///
  /// - Returns: The listening descriptor and its port.
  package static func listen(
    at port: UInt16, backlog: Int32 = 16
  ) throws(SystemError) -> (listener: FileDescriptor, port: UInt16) {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = FileDescriptor(number: try SystemError.check { socket(AF_INET, type, 0) })
    do throws(SystemError) {
      // Without it, the port stays taken for a minute after its connections ended.
      var reuse: Int32 = 1
      _ = try SystemError.check {
        unsafe setsockopt(
          descriptor.number, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = try SystemError.check {
        unsafe withUnsafePointer(to: &address) { (address) in
          unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
            unsafe bind(descriptor.number, address, length)
          }
        }
      }
      _ = try SystemError.check { Glibc.listen(descriptor.number, backlog) }
      _ = try SystemError.check {
        unsafe withUnsafeMutablePointer(to: &address) { (address) in
          unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
            unsafe getsockname(descriptor.number, address, &length)
          }
        }
      }
      return (descriptor, UInt16(bigEndian: address.sin_port))
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Accepts the next connection.
  package static func accept(from listener: FileDescriptor) throws(SystemError) -> FileDescriptor {
    try UnixSocket.accept(from: listener)
  }
}
