// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A local connection with blocking calls.
final class Connection {
  private let descriptor: CInt
  private var received: [UInt8] = []

  init(_ descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// Connects to a port.
  convenience init?(port: UInt16) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor)
    let connected = unsafe withLoopbackAddress(port) { unsafe connect(descriptor, $0, $1) }
    guard connected == 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Returns the next request as text; nil if the peer closes the connection before.
  func request() -> String? {
    while true {
      let text = String(decoding: received, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        let head = text[..<end.upperBound]
        let field = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
        if received.count >= head.utf8.count + length {
          let request = String(decoding: received.prefix(head.utf8.count + length), as: UTF8.self)
          received.removeFirst(head.utf8.count + length)
          return request
        }
      }
      guard receive() else { return nil }
    }
  }

  /// Reads until the peer closes the connection.
  func rest() -> [UInt8] {
    while receive() {}
    return received
  }

  /// Sends text. Returns false if the peer has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes. Returns false if the peer has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Makes closing the connection send a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// Waits until the peer closes the connection.
  func waitForEnd() { _ = rest() }

  /// Forwards received data until the end or the limit.
  func pump(to other: Connection, atMost limit: Int) {
    var left = limit
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while left > 0 {
      let count = unsafe recv(descriptor, &chunk, min(chunk.count, left), 0)
      guard count > 0, other.send(Array(chunk.prefix(count))) else { return }
      left -= count
    }
  }

  /// Shuts down both directions, including those of copies.
  func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Duplicates the connection for another thread.
  func copy() -> @Sendable () -> Connection {
    let copied = dup(descriptor)
    return { Connection(copied) }
  }

  private func receive() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    received += chunk.prefix(count)
    return true
  }
}

/// Calls `body` with the address of a local port.
func withLoopbackAddress<Result>(
  _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return unsafe withUnsafePointer(to: &address) { (pointer) in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (pointer) in
      unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
