// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemIO

/// A proxy between a client and its server that cuts connections at the worst moment.
package final class CuttingProxy: Sendable {
  /// The word from the client that triggers the cut.
  private struct Cut: Sendable {
    let word: String

    /// Whether the server still receives the word, so that only its answer is lost.
    let isDelivered: Bool
  }

  /// The port for the client.
  package let port: UInt16

  private let listener: Int32
  private let serverPort: UInt16
  private let cut = Locked<Cut?>(nil)
  private let lines = Locked<[Weak]>([])

  package struct Unmakeable: Error {}

  /// Creates a proxy to a local port. It refuses connections until ``open()`` is called.
  package init(closedTo serverPort: UInt16) throws {
    self.serverPort = serverPort
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard let port = Self.bind(listener) else { throw Unmakeable() }
    self.port = port
  }

  /// Creates a proxy to a local port.
  package convenience init(to serverPort: UInt16) throws {
    try self.init(closedTo: serverPort)
    try open()
  }

  /// Accepts connections from now on.
  package func open() throws {
    guard listen(listener, 16) == 0, SystemThread.start({ [self] in acceptAll() }) else { throw Unmakeable() }
  }

  /// Cuts the next connection that carries the word, once.
  package func cut(at word: String, delivering isDelivered: Bool) {
    cut.withLock { (cut) in cut = Cut(word: word, isDelivered: isDelivered) }
  }

  /// Whether the cut has happened.
  package var hasCut: Bool { cut.withLock { (cut) in cut == nil } }

  /// Resets all connections, on both sides.
  package func resetAll() {
    for line in lines.withLock({ (lines) in lines.compactMap(\.line) }) { line.reset() }
  }

  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = Self.loopback(serverPort)
      let connected = unsafe withUnsafePointer(to: &address) { (address) in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
          unsafe connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard connected == 0 else {
        Glibc.close(server)
        Glibc.close(client)
        continue
      }
      let line = Line(client: client, server: server)
      lines.withLock { (lines) in lines = lines.filter { $0.line != nil } + [Weak(line: line)] }
      _ = SystemThread.start { [self] in forward(line) }
      _ = SystemThread.start { Self.answer(line) }
    }
  }

  /// Forwards data from the client to the server and watches for the word.
  private func forward(_ line: Line) {
    let (client, server) = (line.client, line.server)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(client, &chunk, chunk.count)
      guard count > 0 else { break }
      let text = String(decoding: chunk.prefix(count), as: UTF8.self)
      let made = cut.withLock { (cut) -> Cut? in
        guard let word = cut?.word, text.contains(word) else { return nil }
        defer { cut = nil }
        return cut
      }
      if let made {
        // From here on, the client receives nothing.
        shutdown(client, Int32(SHUT_RDWR))
        if made.isDelivered {
          _ = unsafe send(server, chunk, count, Int32(MSG_NOSIGNAL))
          // The server receives it, but its answer is lost.
          usleep(200_000)
        }
        break
      }
      guard unsafe send(server, chunk, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(server, Int32(SHUT_RDWR))
  }

  private static func answer(_ line: Line) {
    let (client, server) = (line.client, line.server)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(server, &chunk, chunk.count)
      guard count > 0, unsafe send(client, chunk, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(client, Int32(SHUT_RDWR))
  }

  /// Two sockets, which are closed when neither direction is read any more.
  private final class Line: Sendable {
    let client: Int32
    let server: Int32

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    deinit {
      Glibc.close(server)
      Glibc.close(client)
    }

    /// Resets both connections: connecting to no address ends one without the usual exchange.
    func reset() {
      for socket in [client, server] {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        unsafe connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
      }
    }
  }

  /// A line that does not stay open for being listed.
  private struct Weak: Sendable {
    weak let line: Line?
  }

  private static func bind(_ listener: Int32) -> UInt16? {
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe Glibc.bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    return status ? UInt16(bigEndian: address.sin_port) : nil
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
