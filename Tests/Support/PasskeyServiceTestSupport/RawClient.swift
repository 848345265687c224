// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// A connection that sends any bytes, valid HTTP or not. Its calls block: make them on a thread of ``waiting(_:)``.
package final class RawClient {
  package struct Unreachable: Error {}

  /// A response.
  package struct Answer: Equatable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: String

    package func header(_ name: String) -> String? {
      headers.first { $0.name == name }?.value
    }

    package static func == (one: Answer, other: Answer) -> Bool {
      one.status == other.status && one.body == other.body
    }
  }

  private let descriptor: CInt
  private var received = ReceivedAnswer()

  /// Connects to a local port, with `source` from 127.0.0.`source`. A small `receiveBuffer` makes a slow reader.
  package init(port: UInt16, v6: Bool = false, source: UInt8? = nil, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(v6 ? AF_INET6 : AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Unreachable() }
    if var receiveBuffer {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
    }
    if let source, !bindTo(source) { throw Unreachable() }
    var storage = sockaddr_storage()
    let connected = unsafe withUnsafeMutableBytes(of: &storage) { (bytes) in
      let length: Int
      if v6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        unsafe bytes.storeBytes(of: address, as: sockaddr_in6.self)
        length = MemoryLayout<sockaddr_in6>.size
      } else {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        unsafe bytes.storeBytes(of: address, as: sockaddr_in.self)
        length = MemoryLayout<sockaddr_in>.size
      }
      return unsafe bytes.withMemoryRebound(to: sockaddr.self) { (addresses) in
        unsafe connect(descriptor, addresses.baseAddress, socklen_t(length))
      }
    }
    // deinit closes it, also if this initializer throws.
    guard connected == 0 else { throw Unreachable() }
  }

  private func bindTo(_ source: UInt8) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(source)).bigEndian
    return unsafe withUnsafeBytes(of: &address) { (bytes) in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { (addresses) in
        unsafe bind(descriptor, addresses.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  deinit {
    close(descriptor)
  }

  /// Sends text. Returns false if the server has closed the connection.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes. Returns false if the server has closed the connection.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
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

  /// Shuts down the sending direction.
  package func endSending() {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// Makes the connection end with a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// Waits for the next response. Returns nil if the connection ends before it, or after this many seconds.
  package func answer(within seconds: Int = HangGuard.seconds, isBodiless: Bool = false) -> Answer? {
    while true {
      if let answer = received.take(isBodiless: isBodiless) { return answer }
      guard receive(within: seconds) else { return nil }
    }
  }

  /// Returns whether the server closes the connection within this many seconds. Keeps the bytes that arrive before.
  package func isEnded(within seconds: Int = HangGuard.seconds) -> Bool {
    while receive(within: seconds) {}
    return hasEnded
  }

  /// Waits for bytes, and returns all that have arrived; none if the connection ends before, or after this many seconds.
  package func takeBytes(within seconds: Int = HangGuard.seconds) -> [UInt8] {
    if received.bytes.isEmpty { _ = receive(within: seconds) }
    defer { received.bytes = [] }
    return received.bytes
  }

  /// The received bytes that no call has consumed.
  package var rest: String { String(decoding: received.bytes, as: UTF8.self) }

  private var hasEnded = false

  private func receive(within seconds: Int) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, CInt(seconds * 1_000)) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else {
      hasEnded = true
      return false
    }
    received.bytes += chunk.prefix(count)
    return true
  }
}
