// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemIO

/// The host and port of a TCP socket.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or a numeric address, without brackets.
  package let host: String
  package let port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// A port on this machine, which other machines cannot reach; 0 for one that the system selects.
  package static func loopback(_ port: UInt16 = 0) -> Self { Self(host: "127.0.0.1", port: port) }

  /// Parses `HOST:PORT` or `[IPv6]:PORT`.
  ///
  /// - Throws: `proxy.invalid-address`.
  package init(_ text: String) throws(FaultProxyError) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw FaultProxyError(.invalidAddress, "\"\(text)\" is not HOST:PORT")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw FaultProxyError(.invalidAddress, "\"\(text)\" needs brackets around its IPv6 address")
    }
    guard !host.isEmpty else { throw FaultProxyError(.invalidAddress, "\"\(text)\" has no host") }
    self.init(host: String(host), port: port)
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether the address is one that other machines cannot reach.
  package var isLoopback: Bool {
    guard let bytes = NumericAddress.bytes(of: host) else { return host == "localhost" }
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }
}

// MARK: Sockets

extension SocketAddress {
  /// Returns a socket that is bound to the address and does not listen yet, and its port.
  func bound() throws(SystemError) -> (socket: FileDescriptor, port: UInt16) {
    let socket = try unsafe opened(flags: AI_PASSIVE) { (socket, address, length) in
      var isReused: Int32 = 1
      unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
      return unsafe bind(socket, address, length)
    }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { (storage) in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe getsockname(socket.number, address, &length)
      }
    }
    guard status == 0 else {
      socket.close()
      throw SystemError(number: errno)
    }
    // The port has the same place in the addresses of IPv4 and IPv6: after the family.
    let port = unsafe withUnsafeBytes(of: &storage) { (bytes) in
      unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
    return (socket, port)
  }

  /// Returns a connected socket.
  func connected() throws(SystemError) -> FileDescriptor {
    let socket = try unsafe opened(flags: 0) { (socket, address, length) in unsafe connect(socket, address, length) }
    socket.sendWithoutDelay()
    return socket
  }

  /// Opens a socket for the first of the host's addresses that `use` accepts. `use` returns -1 and sets `errno` if it fails.
  private func opened(
    flags: Int32, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) -> FileDescriptor {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = flags
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0 else { throw .invalid }
    defer { unsafe freeaddrinfo(found) }
    var failure = SystemError.invalid
    var next = unsafe found
    while let candidate = unsafe next {
      unsafe next = candidate.pointee.ai_next
      guard let address = unsafe candidate.pointee.ai_addr else { continue }
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let number = unsafe socket(candidate.pointee.ai_family, type, 0)
      guard number >= 0 else {
        failure = SystemError(number: errno)
        continue
      }
      if unsafe use(number, address, candidate.pointee.ai_addrlen) == 0 { return FileDescriptor(number: number) }
      failure = SystemError(number: errno)
      Glibc.close(number)
    }
    throw failure
  }
}

extension FileDescriptor {
  /// Makes a bound socket accept connections.
  func listen() throws(SystemError) {
    _ = try SystemError.check { Glibc.listen(number, 64) }
  }

  /// Sends small pieces at once.
  func sendWithoutDelay() {
    var isOn: Int32 = 1
    unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends a TCP connection with a reset: connecting to no address ends it without the usual exchange.
  func reset() {
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    unsafe connect(number, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    // A socket that was not connected yet, or is not a TCP socket.
    shutDown(.both)
  }
}
