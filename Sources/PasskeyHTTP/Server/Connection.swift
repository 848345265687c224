// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// One connection: whose it is, and until when what it does at present may take.
final class Connection: Sendable {
  private enum Stage {
    /// Nothing of a request has come yet, or a request comes in.
    case receiving(isIdle: Bool)
    /// A task makes the answer.
    case working(Exchange)
    /// The answer goes out.
    case sending
    /// The descriptor is another's.
    case closed
  }

  private struct State {
    var stage = Stage.receiving(isIdle: true)
    var since = ContinuousClock.now
    var deadline: ContinuousClock.Instant
  }

  /// A connection that waits for its client.
  struct Wait {
    /// Whether nothing of a request has come.
    let isIdle: Bool
    let since: ContinuousClock.Instant

    /// Whether this one ends before another: idle ones do, and then those that have waited longer.
    static func < (left: Self, right: Self) -> Bool {
      left.isIdle == right.isIdle ? left.since < right.since : left.isIdle
    }
  }

  let peer: IPAddress
  private let descriptor: Int32
  private let handle: ReadingConnection
  private let intake: Intake
  private let state: Locked<State>

  init(peer: IPAddress, descriptor: Int32, handle: ReadingConnection, intake: Intake) {
    self.peer = peer
    self.descriptor = descriptor
    self.handle = handle
    self.intake = intake
    let limits = intake.service.limits
    // The first request begins now: nothing tells of its first byte. So does the handshake of TLS.
    state = Locked(State(deadline: .now + limits.inactivity + limits.requestDeadline))
  }

  private var limits: ServerLimits { intake.service.limits }

  /// Whether it ends with its next answer.
  var isRetiring: Bool { intake.isRetiring }

  /// The first line of a request has come.
  func begins() {
    enter(.receiving(isIdle: false), limits.requestDeadline)
  }

  /// The request is there and is handed to a task.
  func works(on exchange: Exchange) {
    enter(.working(exchange), limits.answerDeadline)
  }

  /// The answer is there.
  func sends() {
    enter(.sending, limits.sendingDeadline)
  }

  /// The answer has gone out. When the first byte of the next request comes is not told, but its last has to come in the
  /// time that it may wait and take.
  func completes() {
    enter(.receiving(isIdle: true), limits.inactivity + limits.requestDeadline)
  }

  func closes() {
    state.withLock { $0.stage = .closed }
  }

  private func enter(_ stage: Stage, _ limit: Duration) {
    let now = ContinuousClock.now
    state.withLock { (state) in
      if case .closed = state.stage { return }
      state = State(stage: stage, since: now, deadline: now + limit)
    }
  }

  /// What the connection waits for; nil while the server makes an answer, and after the end.
  var wait: Wait? {
    state.withLock { (state) in
      switch state.stage {
      case .receiving(let isIdle): Wait(isIdle: isIdle, since: state.since)
      case .sending: Wait(isIdle: false, since: state.since)
      case .working, .closed: nil
      }
    }
  }

  /// Ends the connection; false while the server makes an answer, and after the end.
  func cutOff() -> Bool {
    state.withLock { (state) in shutDown(state.stage) }
  }

  /// Ends the connection where nothing of a request has come.
  func cutOffIfIdle() {
    state.withLock { (state) in
      if case .receiving(isIdle: true) = state.stage { _ = shutDown(state.stage) }
    }
  }

  /// Refuses a request whose `Content-Length` is malformed, before the library does, and ends the connection. Under TLS
  /// the connection ends without an answer: the descriptor takes ciphertext. On the connection's own thread.
  func refuseMalformedLength() {
    state.withLock { (state) in
      guard case .receiving(isIdle: false) = state.stage, let code = handle.lengthFault else { return }
      if !intake.service.isEncrypted {
        _ = Descriptor.send(ErrorResponses.response(to: HTTPError(code), requestID: .random()).closing, to: descriptor)
      }
      Descriptor.shutDown(descriptor)
    }
  }

  /// Ends what has gone on for too long; says which limit it met, where it met one.
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
      return late.abandon(HTTPError(.answerTimedOut)) ? limit : nil
    }
    state.withLock { (state) in
      if state.deadline <= now { _ = shutDown(state.stage) }
    }
    return limit
  }

  /// Answers what is being worked on with an error.
  func abandon(_ error: HTTPError) {
    guard case .working(let exchange) = state.withLock({ $0.stage }) else { return }
    _ = exchange.abandon(error)
  }

  /// The descriptor is ours for as long as the stage is not `closed`, which the lock holds off. A suspended connection is
  /// left alone: the library looks at its socket when it is resumed.
  private func shutDown(_ stage: Stage) -> Bool {
    switch stage {
    case .receiving, .sending:
      Descriptor.shutDown(descriptor)
      return true
    case .working, .closed: return false
    }
  }
}

extension HTTPResponse {
  /// The bytes of an answer after which the connection ends.
  fileprivate var closing: [UInt8] {
    var headers = headers
    SecurityHeaders.add(to: &headers, isEncrypted: false)
    headers.set("connection", "close")
    headers.set("content-length", String(body.count))
    let lines = ["HTTP/1.1 \(status.rawValue) "] + headers.fields.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
