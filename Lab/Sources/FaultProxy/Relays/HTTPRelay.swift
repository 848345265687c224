// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Forwards the requests of a connection and the replies to them, one after the other.
///
/// Messages are forwarded byte for byte. A message whose end another reader could find at another place ends the connection.
struct HTTPRelay {
  private let line: ProxyLine
  private let limits: ProxyLimits
  private let held: HeldBytes
  private let server: SocketAddress
  private let book: RuleBook
  private let order: MessageOrder
  private let report: @Sendable (ProxyEvent) -> Void
  private var requests: MessageReader
  private var replies: MessageReader

  init(
    _ line: ProxyLine, to server: SocketAddress, _ book: RuleBook, _ order: MessageOrder, _ limits: ProxyLimits,
    _ held: HeldBytes, _ report: @escaping @Sendable (ProxyEvent) -> Void
  ) {
    self.line = line
    self.limits = limits
    self.held = held
    self.server = server
    self.book = book
    self.order = order
    self.report = report
    requests = MessageReader(line.client, limits, held)
    replies = MessageReader(line.server, limits, held)
  }

  /// The fields in which proxies describe a client. A client of another machine could claim anything in them.
  private static let forwardingFields: Set = [
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip",
  ]

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
          case .malformed(let flaw): flaw.text
          case .tooLarge: "the message is too long to be read whole"
          case .tooSlow, .ended: "the peer sends too slowly"
          }
        report(event)
        return line.reset()
      }
    }
    line.end()
  }

  /// Blocks until the client sends something.
  ///
  /// - Returns: False if the server has closed the idle connection, or it was idle for too long.
  private func waitForRequest() -> Bool {
    if requests.hasUnread { return true }
    let deadline = ContinuousClock.now + limits.idleDuration
    return FileDescriptor.wait(for: [(line.client, .reading), (line.server, .reading)], until: deadline)[0]
  }

  private mutating func exchange() throws(MessageReader.Failure) -> Outcome {
    defer {
      requests.release()
      replies.release()
    }
    requests.pace = .until(.now + limits.headDuration)
    let head = try requests.head(.request)
    let framing = try BodyFraming(ofRequest: head)
    if head.expectsContinue { _ = deliver(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: line.client) }
    requests.pace = .until(.now + limits.requestDuration)
    var request = HTTPMessage(head, try requests.wholeBody(framing))
    if let address = line.otherMachine {
      // The server must not take the client for one of this machine.
      request.head.replaceFields(Self.forwardingFields, adding: [("X-Forwarded-For", address)])
    }
    // The client could take it for the reply to this request.
    try replies.takeArrived()
    guard !replies.hasUnread else { throw .malformed(.unrequestedReply) }
    var event = ProxyEvent(connection: line.number, subject: "\(head.method) \(head.path)")
    event.faults = book.faults(method: head.method, path: head.path)
    defer { report(event) }
    if let outcome = answer(head, &event) { return outcome }
    let copies = prepare(&request, as: .request, &event)
    guard send(request.bytes, as: .request, &event) else { return .ends }
    return try forwardReply(to: head, repeating: copies > 1 ? request.bytes : nil, &event)
  }

  /// Answers in place of the server, if a fault says so.
  private func answer(_ request: HTTPHead, _ event: inout ProxyEvent) -> Outcome? {
    for case .status(let code) in event.faults.map(\.action) {
      let body = "{\"error\":\"fault\"}\n"
      var lines = ["HTTP/1.1 \(code) Fault", "cache-control: no-store"]
      // These have no content, so a length would be wrong (RFC 9110 §8.6).
      let hasContent = code != 204 && code != 304
      if hasContent { lines += ["content-type: application/json", "content-length: \(body.utf8.count)"] }
      let sendsBody = hasContent && request.method != "HEAD"
      event.status = code
      let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (sendsBody ? body : "")).utf8)
      event.byteCount = bytes.count
      return deliver(bytes, to: line.client) && !request.endsConnection ? .goesOn : .ends
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
      _ = deliver(Array(bytes.prefix(limit)), to: receiver)
      if direction == .reply { event.byteCount += min(limit, bytes.count) }
      end(fault)
      return false
    }
    defer { if direction == .reply { order.pass(.reply) } }
    for _ in 0..<copies {
      guard deliver(bytes, to: receiver) else { return false }
      if direction == .reply { event.byteCount += bytes.count }
    }
    return true
  }

  /// Sends bytes to a peer.
  ///
  /// - Returns: False if the peer has ended the connection, or does not read.
  private func deliver(_ bytes: [UInt8], to peer: FileDescriptor) -> Bool {
    peer.deliver(bytes, within: limits.sendDuration)
  }

  /// Sends a request again, over a connection of its own, and discards the reply.
  private func repeatRequest(_ bytes: [UInt8], _ method: String, _ event: inout ProxyEvent) {
    guard let socket = try? server.connected(within: limits.sendDuration) else {
      event.note = "the server cannot be reached again"
      return
    }
    defer { socket.close() }
    var replies = MessageReader(socket, limits, held)
    do throws(MessageReader.Failure) {
      guard deliver(bytes, to: socket) else { throw .ended }
      var head = try replies.head(.reply)
      while head.isInterim { head = try replies.head(.reply) }
      try replies.body(BodyFraming(ofReply: head, to: method)) { (_) in true }
      event.note = "reply to the repeated request: \(head.status)"
    } catch {
      event.note = "no reply to the repeated request"
    }
  }

  private mutating func forwardReply(
    to request: HTTPHead, repeating copy: [UInt8]?, _ event: inout ProxyEvent
  ) throws(MessageReader.Failure) -> Outcome {
    var head = try replies.head(.reply)
    while head.isInterim {
      // A client that expects 100 has got one of the proxy. HTTP/1.0 has no interim replies.
      let isForClient = !request.isVersion1_0 && !(head.status == 100 && request.expectsContinue)
      guard !isForClient || deliver(head.bytes, to: line.client) else { return .ends }
      head = try replies.head(.reply)
    }
    event.status = head.status
    // Only the reply shows that the server has read the request.
    order.pass(.request)
    let framing = try BodyFraming(ofReply: head, to: request.method)
    let isUpgrade = head.status == 101 || (request.method == "CONNECT" && head.status < 300)
    guard !isUpgrade || request.asksForUpgrade else { throw .malformed(.unrequestedUpgrade) }
    // The server has processed the first one, so this is the second one in any case.
    if let copy { repeatRequest(copy, request.method, &event) }
    let isLast = request.endsConnection || head.endsConnection || framing.endsConnection
    let outcome = isUpgrade ? Outcome.switches : isLast ? .ends : .goesOn
    let faults = event.faults.filter { $0.direction == .reply }
    if faults.contains(where: \.needsWholeMessage) {
      var reply = HTTPMessage(head, try replies.wholeBody(framing))
      let copies = prepare(&reply, as: .reply, &event)
      return send(reply.bytes, as: .reply, copies: copies, &event) ? outcome : .ends
    }
    for case .delay(let duration) in faults.map(\.action) { SystemThread.sleep(until: .now + duration) }
    let cut = faults.first { $0.limit != nil }
    guard try stream(head, framing, until: cut, &event) else { return .ends }
    order.pass(.reply)
    return outcome
  }

  /// Forwards a reply piece by piece, as far as a fault allows.
  ///
  /// - Returns: Whether all of it was forwarded.
  private mutating func stream(
    _ head: HTTPHead, _ framing: BodyFraming, until cut: FaultRule?, _ event: inout ProxyEvent
  ) throws(MessageReader.Failure) -> Bool {
    let client = line.client
    let limit = limits.sendDuration
    var sent = 0
    defer { event.byteCount += sent }
    func forward(_ piece: [UInt8]) -> Bool {
      let left = cut?.limit.map { $0 - sent } ?? piece.count
      let part = Array(piece.prefix(left))
      guard client.deliver(part, within: limit) else { return false }
      sent += part.count
      return part.count == piece.count && (cut == nil || left > piece.count)
    }
    var goesOn = forward(head.bytes)
    if goesOn {
      try replies.body(framing) { (piece) in
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
    guard deliver(requests.rest(), to: line.server), deliver(replies.rest(), to: line.client) else { return line.end() }
    ByteRelay(line, RuleBook([]), limits, report).run()
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

extension HTTPHead {
  /// Whether another reply to the same request follows.
  fileprivate var isInterim: Bool { status < 200 && status != 101 }
}

extension BodyFraming {
  fileprivate var endsConnection: Bool { if case .untilEnd = self { true } else { false } }
}
