// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Requests sign-in options for names that no account has, one after another on a persistent connection.
struct UnknownNames {
  /// A reply was not 200, or the connection ended.
  struct Failed: Error {
    let reply: String
  }

  private let connection: CInt

  init(port: UInt16) throws {
    connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(connection, $0, size) }
    }
    guard status == 0 else { throw Failed(reply: "no connection") }
  }

  func close() { _ = Glibc.close(connection) }

  /// Sends a request for each number and waits for its reply.
  func request(_ numbers: Range<Int>) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    for number in numbers {
      let body = #"{"email":"nobody-\#(number)@load.example"}"#
      let request =
        "POST /api/auth/login/options HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      let bytes = [UInt8](request.utf8)
      guard unsafe write(connection, bytes, bytes.count) == bytes.count else { throw Failed(reply: "cannot send") }
      try readReply(&buffer)
    }
  }

  /// Reads a reply with a content length.
  private func readReply(_ buffer: inout [UInt8]) throws {
    var reply: [UInt8] = []
    while true {
      let count = unsafe read(connection, &buffer, buffer.count)
      guard count > 0 else { throw Failed(reply: String(decoding: reply, as: UTF8.self)) }
      reply += buffer.prefix(count)
      let text = String(decoding: reply, as: UTF8.self)
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let lengths = parts[0].split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-length:") }
      guard parts[0].hasPrefix("HTTP/1.1 200"),
        let length = lengths.first?.split(separator: " ").last.flatMap({ Int($0) })
      else { throw Failed(reply: text) }
      if parts[1].utf8.count >= length { return }
    }
  }
}
