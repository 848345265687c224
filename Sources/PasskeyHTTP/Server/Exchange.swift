// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// One request and its answer.
///
/// It begins with the request line and ends when the answer has gone out or the connection is gone. All of that is told by
/// the library on the connection's thread; only ``finish(_:)`` and ``abandon(_:)`` come from elsewhere, and what they
/// touch is behind a lock.
@safe final class Exchange: @unchecked Sendable {
  /// What the library is to do next.
  enum Step {
    /// Read on.
    case proceed
    /// Send this.
    case answer(HTTPResponse)
    /// Leave the connection alone until it is resumed.
    case wait
    /// End the connection.
    case close
  }

  private enum Phase {
    case reading
    /// Up to where it first waits, the answer is made on the connection's thread.
    case beginning
    /// A task makes the answer, and the connection is suspended for as long.
    case working(Task<Void, Never>)
    case answered(HTTPResponse)
    case over
  }

  private let service: ServerService
  private let connection: Connection
  private let handle: SuspendableConnection
  private let target: [UInt8]
  private let begun = ContinuousClock.now
  private let phase = Locked(Phase.reading)

  // What follows is touched by the connection's thread alone.
  private lazy var id = RequestID.random()
  private var method = HTTPMethod(rawValue: "")
  private var head: RequestHead?
  private var client: IPAddress
  private var body: [UInt8] = []
  private var receivedCount = 0
  private var refusal: HTTPError?
  private var isSuspended = false
  private var answer: HTTPResponse?

  init(_ service: ServerService, _ connection: Connection, _ handle: SuspendableConnection, target: [UInt8]) {
    self.service = service
    self.connection = connection
    self.handle = handle
    self.target = target
    client = connection.peer
    service.begins()
    connection.begins()
  }

  // MARK: - Reading

  /// How long a head may be.
  var headLimit: Int { service.limits.headerSize }

  /// Whether the head is known.
  private(set) var hasHead = false

  /// The head is there.
  func receive(
    method: String, version: String, fields: [(name: [UInt8], value: [UInt8])], bytes: HeadBytes
  ) -> Step {
    hasHead = true
    self.method = HTTPMethod(rawValue: method)
    let limits = service.limits
    do {
      let head = try RequestHead(
        method: method, version: version, target: target, fields: fields, bytes: bytes, limits: limits)
      self.head = head
      client = service.proxies.origin(of: connection.peer, isEncrypted: false, headers: head.headers).client
      id = RequestID.of(head.headers, from: connection.peer, trusting: service.proxies)
      guard case .length(let length) = head.framing else { return .proceed }
      if length <= limits.bodySize {
        body.reserveCapacity(length)
        return .proceed
      }
      refusal = HTTPError(.bodyTooLarge)
      // Somebody who sends all of it before he reads gets his answer; not so if there is no end to it.
      let isAsked = !head.headers.values("expect").isEmpty
      return isAsked || length > limits.discardedSize ? refuse(HTTPError(.bodyTooLarge)) : .proceed
    } catch {
      return refuse(error)
    }
  }

  /// A part of the body is there.
  func receive(_ part: UnsafeRawBufferPointer) -> Step {
    receivedCount += part.count
    if refusal == nil, receivedCount > service.limits.bodySize {
      refusal = HTTPError(.bodyTooLarge)
      body = []
    }
    if refusal == nil { unsafe body.append(contentsOf: part) }
    return receivedCount > service.limits.discardedSize ? .close : .proceed
  }

  /// The request is complete; or the connection was resumed because there is an answer.
  func proceed() -> Step {
    switch phase.withLock({ $0 }) {
    case .reading: refusal.map { refuse($0) } ?? begin()
    case .beginning, .working: .wait
    case .answered(let response): send(response)
    case .over: .close
    }
  }

  // MARK: - Answering

  private func begin() -> Step {
    guard let head else { return .close }
    // Counted first: whoever stops the server either sees the count, or is seen by us.
    service.suspends()
    isSuspended = true
    guard !service.isClosed else { return refuse(HTTPError(.stopping)) }
    let origin = service.proxies.origin(
      of: connection.peer, isEncrypted: service.isEncrypted, headers: head.headers)
    let request = HTTPRequest(
      method: head.method, target: head.target, headers: head.headers, body: body[...], peer: connection.peer,
      client: origin.client, isEncrypted: origin.isEncrypted, id: id, receivedAt: WallClock.now)
    body = []
    phase.withLock { $0 = .beginning }
    connection.works(on: self)
    let task = Task.immediate { [handler = service.handler] in finish(await handler(request)) }
    let hasToWait = phase.withLock { (phase) in
      // Where the answer is there already, nobody has to be woken.
      guard case .beginning = phase else { return false }
      handle.suspend()
      phase = .working(task)
      return true
    }
    return hasToWait ? .wait : proceed()
  }

  /// The answer is there. One that comes after another, or after the end, is passed over.
  private func finish(_ response: HTTPResponse) {
    let hasToResume = phase.withLock { (phase) in
      switch phase {
      case .beginning:
        phase = .answered(response)
        return false
      case .working:
        phase = .answered(response)
        return true
      case .reading, .answered, .over: return false
      }
    }
    // The connection is suspended, so that it is there: only the first resumes it.
    if hasToResume { handle.resume() }
  }

  /// Answers with an error what is being worked on; false where nothing is any more.
  func abandon(_ error: HTTPError) -> Bool {
    let response = ErrorResponses.response(to: error, requestID: id)
    let task = phase.withLock { (phase) -> Task<Void, Never>? in
      guard case .working(let task) = phase else { return nil }
      phase = .answered(response)
      return task
    }
    guard let task else { return false }
    task.cancel()
    handle.resume()
    return true
  }

  private func refuse(_ error: HTTPError) -> Step {
    send(ErrorResponses.response(to: error, requestID: id))
  }

  private func send(_ response: HTTPResponse) -> Step {
    endSuspension()
    phase.withLock { $0 = .over }
    connection.sends()
    var response = response
    if !Self.finalStatuses.contains(response.status.rawValue) {
      response = ErrorResponses.response(to: HTTPError(.internalError), requestID: id)
    }
    response.headers.set("x-request-id", id.description)
    SecurityHeaders.add(to: &response.headers, isEncrypted: isClientEncrypted)
    // The library is lenient about where a chunk ends: what stands behind the last is nobody's next request.
    if service.isDraining || connection.isRetiring || head?.framing == .chunked {
      response.headers.set("connection", "close")
    }
    answer = response
    return .answer(response)
  }

  /// What can end an exchange; what comes before the end, and what is no status, would leave the client waiting.
  private static let finalStatuses = 200...599

  private var isClientEncrypted: Bool {
    guard let head else { return service.isEncrypted }
    return service.proxies.origin(of: connection.peer, isEncrypted: service.isEncrypted, headers: head.headers)
      .isEncrypted
  }

  private func endSuspension() {
    if isSuspended { service.resumed() }
    isSuspended = false
  }

  // MARK: - The end

  /// The answer has gone out, or the connection is gone. `status` is what the library itself answered, where it did.
  func completes(isComplete: Bool, status: Int) {
    endSuspension()
    phase.withLock { $0 = .over }
    connection.completes()
    service.ends()
    guard status != 0 || answer != nil || head != nil else { return }
    let path = head?.target.path ?? String(decoding: target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    service.completed(
      AccessLogEntry(
        time: WallClock.now, id: id, client: client, method: method, path: path, route: answer?.route,
        status: answer?.status.rawValue ?? status, code: answer?.problemCode, receivedBytes: receivedCount,
        sentBytes: method == .head ? 0 : answer?.body.count ?? 0, duration: .now - begun,
        userAgent: head?.headers["user-agent"], isComplete: isComplete))
  }
}
