// SPDX-License-Identifier: Apache-2.0

internal import SystemIO

/// Forwards the requests of a connection and the replies to them, one after the other.
struct HTTPRelay {
  private let line: ProxyLine
  private let server: SocketAddress
  private let book: RuleBook
  private let order: MessageOrder
  private let report: @Sendable (ProxyEvent) -> Void
  private var requests: MessageReader
  private var replies: MessageReader

  init(
    _ line: ProxyLine, to server: SocketAddress, _ book: RuleBook, _ order: MessageOrder,
    _ report: @escaping @Sendable (ProxyEvent) -> Void
  ) {
    self.line = line
    self.server = server
    self.book = book
    self.order = order
    self.report = report
    requests = MessageReader(line.client)
    replies = MessageReader(line.server)
  }

  /// Whether the connection goes on after a message.
  private enum Outcome {
    case goesOn
    case ends
    /// The peers use another protocol from now on.
    case switches
  }

  /// Forwards until one side ends.
  mutating func run() {
    while waitForRequest() {
      do throws(MessageReader.Failure) {
        switch try exchange() {
        case .goesOn: continue
        case .ends: return line.end()
        case .switches: return tunnel()
        }
      } catch {
        if case .ended = error { return line.end() }
        var event = ProxyEvent(connection: line.number, subject: "connection")
        event.note =
          switch error {
          case .malformed, .ended: "the bytes are not HTTP/1; --bytes forwards any protocol"
          case .tooLarge: "the message is too large for its fault"
          }
        report(event)
        return line.reset()
      }
    }
    line.end()
  }

  /// Blocks until the client sends something.
  ///
  /// - Returns: False if the server has closed the idle connection.
  private func waitForRequest() -> Bool {
    if requests.hasUnread { return true }
    return FileDescriptor.wait(for: [(line.client, .reading), (line.server, .reading)])[0]
  }

  private mutating func exchange() throws(MessageReader.Failure) -> Outcome {
    let head = try requests.head()
    if head["expect"]?.lowercased() == "100-continue" {
      try? line.client.sendAll(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    var request = HTTPMessage(head, try requests.wholeBody(BodyFraming(ofRequest: head)))
    var event = ProxyEvent(connection: line.number, subject: "\(head.method) \(head.path)")
    event.faults = book.faults(method: head.method, path: head.path)
    defer { report(event) }
    if let outcome = answer(&event) { return outcome }
    let copies = prepare(&request, as: .request, &event)
    guard send(request.bytes, as: .request, &event) else { return .ends }
    return try forwardReply(to: head, repeating: copies > 1 ? request.bytes : nil, &event)
  }

  /// Answers in place of the server, if a fault says so.
  private func answer(_ event: inout ProxyEvent) -> Outcome? {
    for case .status(let code) in event.faults.map(\.action) {
      let body = "{\"error\":\"fault\"}\n"
      let head = [
        "HTTP/1.1 \(code) Fault", "content-type: application/json", "content-length: \(body.utf8.count)",
        "cache-control: no-store",
      ]
      event.status = code
      let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
      event.byteCount = bytes.count
      return (try? line.client.sendAll(bytes)) == nil ? .ends : .goesOn
    }
    return nil
  }

  /// Applies the faults that happen before a message is sent.
  ///
  /// - Returns: How often the message is sent.
  private func prepare(
    _ message: inout HTTPMessage, as direction: FaultRule.Direction, _ event: inout ProxyEvent
  ) -> Int {
    var copies = 1
    if direction == .request, event.faults.contains(where: \.changesReply) {
      // A compressed reply could not be changed.
      message.head.replaceFields(["accept-encoding"])
    }
    for fault in event.faults where fault.direction == direction {
      switch fault.action {
      case .change(let pointer, let value):
        if !message.change(pointer, to: value) {
          event.note = "\(direction.rawValue) not changed: no JSON body with \(pointer)"
        }
      case .delay(let duration): SystemThread.sleep(until: .now + duration)
      case .reorder: if !order.hold(direction) { event.note = "no other \(direction.rawValue) has passed" }
      case .duplicate: copies = 2
      case .cut, .truncate, .status: break
      }
    }
    return copies
  }

  /// Sends a whole message, or the part that its faults leave.
  ///
  /// - Returns: Whether the connection goes on.
  private func send(
    _ bytes: [UInt8], as direction: FaultRule.Direction, copies: Int = 1, _ event: inout ProxyEvent
  ) -> Bool {
    let receiver = direction == .request ? line.server : line.client
    for fault in event.faults where fault.direction == direction {
      guard let limit = fault.limit else { continue }
      _ = try? receiver.sendAll(Array(bytes.prefix(limit)))
      if direction == .reply { event.byteCount += min(limit, bytes.count) }
      end(fault)
      return false
    }
    defer { order.pass(direction) }
    for _ in 0..<copies {
      guard (try? receiver.sendAll(bytes)) != nil else { return false }
      if direction == .reply { event.byteCount += bytes.count }
    }
    return true
  }

  /// Sends a request again, over a connection of its own, and discards the reply.
  private func repeatRequest(_ bytes: [UInt8], _ event: inout ProxyEvent) {
    guard let socket = try? server.connected() else {
      event.note = "the server cannot be reached again"
      return
    }
    defer { socket.close() }
    var replies = MessageReader(socket)
    guard (try? socket.sendAll(bytes)) != nil, let method = event.subject.split(separator: " ").first,
      let head = try? replies.head(),
      (try? replies.wholeBody(BodyFraming(ofReply: head, to: String(method)))) != nil
    else {
      event.note = "no reply to the repeated request"
      return
    }
    event.note = "reply to the repeated request: \(head.status)"
  }

  private mutating func forwardReply(
    to request: HTTPHead, repeating copy: [UInt8]?, _ event: inout ProxyEvent
  ) throws(MessageReader.Failure) -> Outcome {
    var head = try replies.head()
    // The client has got its own.
    while head.status == 100 { head = try replies.head() }
    event.status = head.status
    // The server has processed the first one, so this is the second one in any case.
    if let copy { repeatRequest(copy, &event) }
    let framing = BodyFraming(ofReply: head, to: request.method)
    let isLast = request.endsConnection || head.endsConnection || framing.endsConnection
    let faults = event.faults.filter { $0.direction == .reply }
    if faults.contains(where: \.needsWholeMessage) {
      var reply = HTTPMessage(head, try replies.wholeBody(framing))
      let copies = prepare(&reply, as: .reply, &event)
      return send(reply.bytes, as: .reply, copies: copies, &event) && !isLast ? .goesOn : .ends
    }
    for case .delay(let duration) in faults.map(\.action) { SystemThread.sleep(until: .now + duration) }
    let cut = faults.first { $0.limit != nil }
    guard try stream(head, framing, until: cut, &event) else { return .ends }
    order.pass(.reply)
    return head.status == 101 ? .switches : isLast ? .ends : .goesOn
  }

  /// Forwards a reply piece by piece, as far as a fault allows.
  ///
  /// - Returns: Whether all of it was forwarded.
  private mutating func stream(
    _ head: HTTPHead, _ framing: BodyFraming, until cut: FaultRule?, _ event: inout ProxyEvent
  ) throws(MessageReader.Failure) -> Bool {
    let client = line.client
    var sent = 0
    defer { event.byteCount += sent }
    func forward(_ piece: [UInt8]) -> Bool {
      let left = cut?.limit.map { $0 - sent } ?? piece.count
      let part = Array(piece.prefix(left))
      guard (try? client.sendAll(part)) != nil else { return false }
      sent += part.count
      return part.count == piece.count && (cut == nil || left > piece.count)
    }
    var goesOn = forward(head.bytes)
    if goesOn {
      _ = try replies.body(framing) { (piece) in
        goesOn = forward(piece)
        return goesOn
      }
    }
    if let cut {
      // The reply may be shorter than the limit.
      end(cut)
      return false
    }
    return goesOn
  }

  /// Ends the connections as a fault demands.
  private func end(_ fault: FaultRule) {
    if case .cut = fault.action { line.reset() } else { line.end() }
  }

  /// Forwards both directions without reading them.
  private mutating func tunnel() {
    try? line.server.sendAll(requests.rest())
    try? line.client.sendAll(replies.rest())
    ByteRelay(line, RuleBook([]), report).run()
  }
}

extension FaultRule {
  fileprivate var changesReply: Bool {
    if case .change = action { direction == .reply } else { false }
  }

  /// The number of bytes after which the message ends.
  fileprivate var limit: Int? {
    switch action {
    case .cut(let count), .truncate(let count): count
    case .delay, .duplicate, .reorder, .change, .status: nil
    }
  }

  fileprivate var needsWholeMessage: Bool {
    switch action {
    case .duplicate, .reorder, .change: true
    case .delay, .cut, .truncate, .status: false
    }
  }
}

extension BodyFraming {
  fileprivate var endsConnection: Bool { if case .untilEnd = self { true } else { false } }
}
