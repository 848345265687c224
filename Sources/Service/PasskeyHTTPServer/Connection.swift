// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyHTTP
internal import PasskeySystem

/// One connection: its peer, its stage and the deadline of that stage.
final class Connection: Sendable {
  private enum Stage {
    /// Waiting for a request, or receiving one. `isIdle` is true until the request line is complete.
    case receiving(isIdle: Bool)
    /// A task produces the response.
    case working(Exchange)
    /// The library sends the response.
    case sending
    /// The library may have closed the descriptor and reused its number.
    case closed
  }

  private struct State {
    var stage = Stage.receiving(isIdle: true)
    var since = ContinuousClock.now
    var deadline: ContinuousClock.Instant
  }

  /// A connection that waits for its client.
  struct Wait {
    /// Whether no part of a request has arrived.
    let isIdle: Bool
    let since: ContinuousClock.Instant

    /// Returns whether `left` is closed before `right`: idle connections first, then the one that has waited the
    /// longest.
    static func < (left: Self, right: Self) -> Bool {
      left.isIdle == right.isIdle ? left.since < right.since : left.isIdle
    }
  }

  let peer: IPAddress
  private let descriptor: FileDescriptor
  private let handle: ReadingConnection
  /// The thread of the connection, on which the tasks of its requests run.
  let thread: DaemonThread
  private let state: Locked<State>

  init(peer: IPAddress, descriptor: Int32, handle: ReadingConnection, thread: DaemonThread) {
    self.peer = peer
    self.descriptor = FileDescriptor(number: descriptor)
    self.handle = handle
    self.thread = thread
    let limits = thread.daemon.server.limits
    // The first request starts now, because the library does not report its first byte. So does the TLS handshake.
    state = Locked(State(deadline: .now + limits.inactivity + limits.requestDeadline))
  }

  private var daemon: DaemonState { thread.daemon }

  private var limits: ServerLimits { daemon.server.limits }

  /// Whether the connection closes after its next response.
  var isRetiring: Bool { daemon.isRetiring }

  /// Calls `body` and keeps the daemon from stopping as drained meanwhile, even if the connection closes.
  func keepDaemon(during body: () -> Void) {
    daemon.addConnection()
    body()
    daemon.removeConnection()
  }

  /// Starts the request deadline, once the request line has arrived.
  func startReceiving() {
    enter(.receiving(isIdle: false), limits.requestDeadline)
  }

  /// Starts the answer deadline, once the request is complete and a task handles it.
  func startAnswering(_ exchange: Exchange) {
    enter(.working(exchange), limits.answerDeadline)
  }

  /// Starts the sending deadline, once the response is ready.
  func startSending() {
    enter(.sending, limits.sendingDeadline)
  }

  /// Starts the wait for the next request, once the response has been sent. The library does not report the first byte
  /// of the next request, so its last byte must arrive within the idle time-out plus the request deadline.
  func startWaiting() {
    enter(.receiving(isIdle: true), limits.inactivity + limits.requestDeadline)
  }

  func markClosed() {
    state.withLock { $0.stage = .closed }
  }

  private func enter(_ stage: Stage, _ limit: Duration) {
    let now = ContinuousClock.now
    state.withLock { (state) in
      if case .closed = state.stage { return }
      state = State(stage: stage, since: now, deadline: now + limit)
    }
  }

  /// The current wait for the client; nil while the server produces a response, and after the connection has closed.
  var wait: Wait? {
    state.withLock { (state) in
      switch state.stage {
      case .receiving(let isIdle): Wait(isIdle: isIdle, since: state.since)
      case .sending: Wait(isIdle: false, since: state.since)
      case .working, .closed: nil
      }
    }
  }

  /// Closes the connection. Returns false, without effect, while the server produces a response or after it has closed.
  func close() -> Bool {
    state.withLock { (state) in shutDown(state.stage) }
  }

  /// Closes the connection if no part of a request has arrived. Returns false if its thread has not read a part yet.
  func closeIfIdle() -> Bool {
    state.withLock { (state) in
      guard case .receiving(isIdle: true) = state.stage else { return true }
      guard !descriptor.hasUnreadBytes else { return false }
      _ = shutDown(state.stage)
      return true
    }
  }

  /// Rejects a request with a malformed `Content-Length` before the library does, and closes the connection.
  ///
  /// With TLS it closes the connection without a response, because the descriptor carries ciphertext. Call it on the
  /// connection's own thread; on any other thread it does nothing.
  func refuseMalformedLength() {
    state.withLock { (state) in
      guard case .receiving(isIdle: false) = state.stage, let code = handle.lengthFault else { return }
      if !daemon.server.isEncrypted {
        _ = try? descriptor.send(
          ErrorResponses.standard.response(to: EndpointError(code), requestID: .random()).closing)
      }
      descriptor.shutDown(.both)
    }
  }

  /// Enforces the deadline. Returns the name of the exceeded limit, or nil if none was exceeded.
  func sweep(_ now: ContinuousClock.Instant) -> String? {
    let late: Exchange?
    let limit: String
    switch state.withLock({ ($0.stage, $0.deadline <= now) }) {
    case (.receiving, true): (late, limit) = (nil, "request-deadline")
    case (.sending, true): (late, limit) = (nil, "sending-deadline")
    case (.working(let exchange), true): (late, limit) = (exchange, "answer-deadline")
    default: return nil
    }
    if let late {
      return late.abandon(EndpointError(.answerTimedOut)) ? limit : nil
    }
    state.withLock { (state) in
      if state.deadline <= now { _ = shutDown(state.stage) }
    }
    return limit
  }

  /// Ends the request in progress with an error response.
  func abandon(_ error: EndpointError) {
    guard case .working(let exchange) = state.withLock({ $0.stage }) else { return }
    _ = exchange.abandon(error)
  }

  /// Shuts the socket down.
  ///
  /// The caller holds the lock, so the stage cannot become `closed` and the descriptor stays valid. Leaves a suspended
  /// connection alone: the library uses its socket again after the resume.
  private func shutDown(_ stage: Stage) -> Bool {
    switch stage {
    case .receiving, .sending:
      descriptor.shutDown(.both)
      return true
    case .working, .closed: return false
    }
  }
}

extension EndpointResponse {
  /// The serialized response, with `Connection: close`.
  fileprivate var closing: [UInt8] {
    var headers = headers
    SecurityHeaders.add(to: &headers, isEncrypted: false)
    headers.set("connection", "close")
    headers.set("content-length", String(body.count))
    let lines = ["HTTP/1.1 \(status.rawValue) "] + headers.fields.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
