// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

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

  /// Whether the address is one that other machines cannot reach. A name is not: it can resolve to any address.
  package var isLoopback: Bool {
    guard let bytes = NumericAddress.bytes(of: host) else { return false }
    return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }
}

// MARK: Sockets

extension SocketAddress {
  /// Returns a socket that is bound to the address and does not listen yet, and its numeric address.
  func bound() throws(SystemError) -> (socket: FileDescriptor, address: SocketAddress) {
    let socket = try unsafe opened(flags: AI_PASSIVE) { (socket, address, length) in
      var isReused: Int32 = 1
      unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
      return unsafe bind(socket, address, length)
    }
    guard let address = unsafe SocketAddress(of: socket, getsockname) else {
      socket.close()
      throw .invalid
    }
    return (socket, address)
  }

  /// Returns the address that the system names for a socket; nil if it has none.
  fileprivate init?(
    of socket: FileDescriptor, _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { (storage) in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe ask(socket.number, address, &length)
      }
    }
    guard status == 0 else { return nil }
    // Both families have the port after the family; IPv4 has the address behind it, IPv6 behind it and the flow.
    let bytes = unsafe withUnsafeBytes(of: &storage) { (bytes) in unsafe Array(bytes.prefix(24)) }
    let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    var address: [UInt8]
    switch Int32(storage.ss_family) {
    case AF_INET: address = Array(bytes[4..<8])
    case AF_INET6: address = Array(bytes[8..<24])
    default: return nil
    }
    // A socket for both families shows IPv4 addresses as ::ffff:192.0.2.1.
    if address.starts(with: mappedPrefix) { address = Array(address.dropFirst(mappedPrefix.count)) }
    guard let host = NumericAddress.text(of: address) else { return nil }
    self.init(host: host, port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
  }

  /// Returns a connected socket. Connecting to each address may take as long as `limit`.
  func connected(within limit: Duration = .seconds(60)) throws(SystemError) -> FileDescriptor {
    let socket = try unsafe opened(flags: 0) { (socket, address, length) in
      _ = limitSending(on: socket, to: limit)
      return unsafe connect(socket, address, length)
    }
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

  /// The address of the peer of a TCP connection; nil if it has ended.
  var peer: SocketAddress? { unsafe SocketAddress(of: self, getpeername) }

  // 64 KiB  [large enough to be fast]
  private static let pieceSize = 1 << 16

  /// Sends bytes to a peer that must take each 64 KiB within a limit.
  ///
  /// - Returns: Whether it has taken all.
  func deliver(_ bytes: [UInt8], within limit: Duration) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var piece = Array(rest.prefix(Self.pieceSize))
      rest.removeFirst(piece.count)
      let deadline = ContinuousClock.now + limit
      while !piece.isEmpty {
        do throws(SystemError) {
          piece.removeFirst(try send(piece))
        } catch {
          guard error == .wouldBlock, wait(for: .writing, until: deadline) else { return false }
        }
      }
    }
    return true
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
