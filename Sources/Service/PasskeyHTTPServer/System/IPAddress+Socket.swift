// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyHTTP

extension IPAddress {
  /// Reads the address from a `sockaddr`; nil for a family other than IPv4 and IPv6.
  init?(socketAddress: UnsafeRawPointer) {
    switch Int32(unsafe socketAddress.load(as: sa_family_t.self)) {
    case AF_INET:
      let number = unsafe socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self.init(v4: UInt32(bigEndian: number))
    case AF_INET6:
      let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
      let high = unsafe socketAddress.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let low = unsafe socketAddress.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      self.init(v6: UInt64(bigEndian: high), UInt64(bigEndian: low))
    default:
      return nil
    }
  }

  /// Calls `body` with the address and a port as a `sockaddr`.
  func withSocketAddress<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    return unsafe withUnsafeMutableBytes(of: &storage) { (bytes) in
      let length: Int
      switch version {
      case .four:
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
        unsafe bytes.storeBytes(of: address, as: sockaddr_in.self)
        length = MemoryLayout<sockaddr_in>.size
      case .six:
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        unsafe bytes.storeBytes(of: address, as: sockaddr_in6.self)
        let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
        unsafe bytes.storeBytes(of: high.bigEndian, toByteOffset: offset, as: UInt64.self)
        unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: offset + 8, as: UInt64.self)
        length = MemoryLayout<sockaddr_in6>.size
      }
      return unsafe bytes.withMemoryRebound(to: sockaddr.self) { (addresses) in
        unsafe withUnsafePointer(to: &addresses[0]) { unsafe body($0, socklen_t(length)) }
      }
    }
  }
}
