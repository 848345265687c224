// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

/// The connections of a ``NullServer``, all served by the calling thread.
struct NullServerThread {
  /// A request of which some bytes have arrived.
  private struct Connection {
    let descriptor: FileDescriptor
    var received: [UInt8] = []
    /// When the first byte of the request was read.
    var start: Int64 = 0
  }

  /// A response, and when to send it.
  private struct Reply {
    let connection: CInt
    let bytes: [UInt8]
    let requestStart: Int64
    /// When the sign-in began that the response ends; nil for options.
    let signInStart: Int64?
    let due: Int64
  }

  private let listener: FileDescriptor
  private let delay: (Int) -> Int
  private var connections: [CInt: Connection] = [:]
  private var replies: [Reply] = []
  private var waiting: [pollfd] = []
  private var requestCount = 0
  /// When the sign-ins began that have no session yet, by the number in their cookie.
  private var signIns: [Int: Int64] = [:]

  init(_ listener: FileDescriptor, delay: @escaping (Int) -> Int) {
    self.listener = listener
    self.delay = delay
  }

  func close() {
    for connection in connections.values { connection.descriptor.close() }
    listener.close()
  }

  /// Waits for traffic for some milliseconds, and answers the requests that are complete.
  mutating func advance(_ figures: Locked<NullServer.Figures>) {
    waiting = [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
    for number in connections.keys { waiting.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0)) }
    let next = replies.map(\.due).min().map { max(0, min(50, ($0 - Self.now + 999_999) / 1_000_000)) } ?? 50
    guard unsafe poll(&waiting, nfds_t(waiting.count), CInt(next)) >= 0 else { return }
    for entry in waiting where entry.revents != 0 {
      if entry.fd == listener.number { accept() } else { receive(entry.fd) }
    }
    send(figures)
  }

  private mutating func accept() {
    guard let descriptor = try? LoopbackSocket.accept(from: listener) else { return }
    var isImmediate: CInt = 1
    unsafe setsockopt(
      descriptor.number, CInt(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<CInt>.size))
    connections[descriptor.number] = Connection(descriptor: descriptor)
  }

  private mutating func receive(_ number: CInt) {
    guard var connection = connections[number] else { return }
    var chunk = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe recv(number, &chunk, chunk.count, CInt(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN { return }
    guard count > 0 else {
      connections[number] = nil
      replies.removeAll { $0.connection == number }
      return connection.descriptor.close()
    }
    if connection.received.isEmpty { connection.start = Self.now }
    connection.received += chunk.prefix(count)
    if let head = Self.completeHead(connection.received) {
      answer(head, connection)
      connection.received = []
    }
    connections[number] = connection
  }

  /// Returns the head of a request in lower case once the request is complete.
  private static func completeHead(_ bytes: [UInt8]) -> String? {
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    return bytes.count >= end + 4 + (number(behind: "content-length: ", in: head) ?? 0) ? head : nil
  }

  /// Returns the number behind the start of a field, or of a cookie.
  private static func number(behind start: String, in head: String) -> Int? {
    for line in head.split(separator: "\r\n") where line.hasPrefix(start) {
      return Int(line.dropFirst(start.count).prefix { $0.isNumber })
    }
    return nil
  }

  private mutating func answer(_ head: String, _ connection: Connection) {
    requestCount += 1
    var signInStart: Int64?
    var bytes = Self.session
    if let number = Self.number(behind: "cookie: sign-in=", in: head) {
      signInStart = signIns.removeValue(forKey: number)
    } else {
      signIns[requestCount] = connection.start
      bytes = Self.response(Self.options, cookie: requestCount)
    }
    replies.append(
      Reply(
        connection: connection.descriptor.number, bytes: bytes, requestStart: connection.start,
        signInStart: signInStart, due: Self.now + Int64(delay(requestCount)) * 1_000_000))
  }

  /// Sends the responses that are due.
  private mutating func send(_ figures: Locked<NullServer.Figures>) {
    guard !replies.isEmpty else { return }
    let now = Self.now
    let due = replies.filter { $0.due <= now }
    replies.removeAll { $0.due <= now }
    let sent = due.map { (reply) in
      _ = unsafe Glibc.send(reply.connection, reply.bytes, reply.bytes.count, CInt(MSG_NOSIGNAL))
      return (reply: reply, moment: Self.now)
    }
    figures.withLock { (figures) in
      for (reply, moment) in sent {
        figures.requests.append(Double(moment - reply.requestStart) / 1_000)
        if let start = reply.signInStart { figures.signIns.append(Double(moment - start) / 1_000) }
      }
      figures.processorTime = Self.time(CLOCK_THREAD_CPUTIME_ID)
    }
  }

  private static var now: Int64 { Int64(time(CLOCK_MONOTONIC) * 1e9) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static let options = """
    {"challenge":"dGhpcnR5LXR3byBieXRlcyBmb3Igb25lIHNpZ24taW4","timeout":300000,"rpId":"raxx.app","allowCredentials":\
    [{"type":"public-key","id":"dGhpcnR5LXR3byBieXRlcyBvZiBhIGNyZWRlbnRpYWw","transports":["internal","hybrid"]}],\
    "userVerification":"required","expiresAt":"2027-01-15T08:05:00Z"}
    """

  private static let session = response(
    """
    {"token":"dGhpcnR5LXR3byBieXRlcyBmb3IgdGhlIHNlc3Npb24","tokenType":"Bearer","expiresAt":"2027-01-15T08:15:00Z",\
    "account":{"id":"c2l4dGVlbiBieXRlcyBpZA","email":"ada@raxx.app","state":"active","roles":[],\
    "createdAt":"2027-01-15T08:00:00Z"}}
    """, cookie: nil)

  private static func response(_ body: String, cookie: Int?) -> [UInt8] {
    let field = cookie.map { "Set-Cookie: sign-in=\($0); HttpOnly\r\n" } ?? ""
    return Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        .utf8)
  }
}
