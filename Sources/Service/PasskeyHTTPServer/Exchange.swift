// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyMicroHTTPD
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyService
internal import PasskeySystem

/// One request and its response.
///
/// An exchange starts with the request line and ends when the response has been sent or the connection has closed. The
/// library reports these events on the connection's thread. Only ``finish(_:)`` and ``abandon(_:)`` may run on other
/// threads; a lock guards the state that they use.
@safe final class Exchange: @unchecked Sendable {  // The connection's thread and a lock guard the state.
  /// The next action of the library.
  enum Step {
    /// Continue reading.
    case proceed
    /// Send this response.
    case answer(EndpointResponse)
    /// Wait until the connection is resumed.
    case wait
    /// Close the connection.
    case close
  }

  private enum Phase {
    case reading
    /// The handler runs on the connection's thread, up to its first suspension.
    case beginning
    /// A task produces the response; the connection is suspended.
    case working(Task<Void, Never>)
    case answered(EndpointResponse)
    case over
  }

  private let server: ServerState
  private let connection: Connection
  private let handle: SuspendableConnection
  private let target: [UInt8]
  private let begun = ContinuousClock.now
  private let phase = Locked(Phase.reading)

  // Only the connection's thread uses the following properties.
  private lazy var id = EndpointRequestID.random()
  private var method = EndpointMethod(rawValue: "")
  private var head: RequestHead?
  /// The client, and whether it uses TLS, as trusted proxies report them once the header has arrived.
  private var client: IPAddress
  private var isClientEncrypted: Bool
  private var body: [UInt8] = []
  private var receivedCount = 0
  private var refusal: EndpointError?
  private var isSuspended = false
  private var answer: EndpointResponse?

  init(_ server: ServerState, _ connection: Connection, _ handle: SuspendableConnection, target: [UInt8]) {
    self.server = server
    self.connection = connection
    self.handle = handle
    self.target = target
    client = connection.peer
    isClientEncrypted = server.isEncrypted
    server.beginRequest()
    connection.startReceiving()
  }

  // MARK: - Reading

  /// The size limit of the header.
  var headLimit: Int { server.limits.headerSize }

  /// Whether the header has arrived.
  private(set) var hasHead = false

  /// Handles the complete header.
  func receive(
    method: String, version: String, fields: ReceivedFields, bytes: HeadBytes
  ) -> Step {
    hasHead = true
    self.method = EndpointMethod(rawValue: method)
    let limits = server.limits
    do {
      let head = try RequestHead(
        method: method, version: version, target: target, fields: fields, bytes: bytes, limits: limits)
      self.head = head
      (client, isClientEncrypted) = server.proxies.origin(
        of: connection.peer, isEncrypted: server.isEncrypted, headers: head.headers)
      id = EndpointRequestID.of(head.headers, from: connection.peer, trusting: server.proxies)
      guard case .length(let length) = head.framing else { return .proceed }
      if length <= limits.bodySize {
        body.reserveCapacity(length)
        return .proceed
      }
      refusal = EndpointError(.bodyTooLarge)
      // A client that reads only after it has sent the whole body still gets the response, up to the discard limit.
      let isAsked = !head.headers.values("expect").isEmpty
      return isAsked || length > limits.discardedSize ? refuse(EndpointError(.bodyTooLarge)) : .proceed
    } catch {
      return refuse(error)
    }
  }

  /// Handles a part of the body.
  func receive(_ part: UnsafeRawBufferPointer) -> Step {
    receivedCount += part.count
    if refusal == nil, receivedCount > server.limits.bodySize {
      refusal = EndpointError(.bodyTooLarge)
      body = []
    }
    if refusal == nil { unsafe body.append(contentsOf: part) }
    return receivedCount > server.limits.discardedSize ? .close : .proceed
  }

  /// Handles the end of the request, or a resumed connection with a response.
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
    // Count first: a concurrent shutdown either sees the count, or this request sees `isClosed`.
    server.beginSuspension()
    isSuspended = true
    guard !server.isClosed else { return refuse(EndpointError(.stopping)) }
    let request = EndpointRequest(
      method: head.method, target: head.target, headers: head.headers, body: body[...], peer: connection.peer,
      client: client, isEncrypted: isClientEncrypted, id: id, receivedAt: WallClock.now)
    body = []
    phase.withLock { $0 = .beginning }
    connection.startAnswering(self)
    let task = Task.immediate(executorPreference: connection.thread) { [handler = server.handler] in
      finish(await handler(request))
    }
    let hasToWait = phase.withLock { (phase) in
      // If the response is already available, the connection is not suspended.
      guard case .beginning = phase else { return false }
      handle.suspend()
      phase = .working(task)
      return true
    }
    return hasToWait ? .wait : proceed()
  }

  /// Records the response of the handler. Ignores it after an earlier response or after the end of the exchange.
  private func finish(_ response: EndpointResponse) {
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
    // A suspended connection stays valid, and only the first response resumes it.
    if hasToResume { resume() }
  }

  /// Ends the request in progress with an error response. Returns false if no task is working on it.
  func abandon(_ error: EndpointError) -> Bool {
    let response = ErrorResponses.standard.response(to: error, requestID: id)
    let task = phase.withLock { (phase) -> Task<Void, Never>? in
      guard case .working(let task) = phase else { return nil }
      phase = .answered(response)
      return task
    }
    guard let task else { return false }
    task.cancel()
    resume()
    return true
  }

  private func resume() {
    // The library uses the daemon after the connection's thread may have ended the exchange.
    server.beginSuspension()
    connection.keepDaemon {
      handle.resume()
      connection.thread.wake()
    }
    server.endSuspension()
  }

  private func refuse(_ error: EndpointError) -> Step {
    send(ErrorResponses.standard.response(to: error, requestID: id))
  }

  private func send(_ response: EndpointResponse) -> Step {
    endSuspension()
    phase.withLock { $0 = .over }
    connection.startSending()
    var response = response
    if !Self.finalStatuses.contains(response.status.rawValue) {
      response = ErrorResponses.standard.response(to: EndpointError(.internalError), requestID: id)
    }
    response.headers.set("x-request-id", id.description)
    SecurityHeaders.add(
      to: &response.headers, isEncrypted: isClientEncrypted, transport: server.transportSecurity)
    // The library is lenient about the end of a chunk, so bytes after the last chunk must not be read as a request.
    if server.isDraining || connection.isRetiring || head?.framing == .chunked {
      response.headers.set("connection", "close")
    }
    answer = response
    return .answer(response)
  }

  /// The valid final statuses. After an informational or invalid status the client would wait forever.
  private static let finalStatuses = 200...599

  private var traceID: String? {
    head?.headers["traceparent"].flatMap { TraceParent($0) }?.traceID
  }

  private func endSuspension() {
    if isSuspended { server.endSuspension() }
    isSuspended = false
  }

  // MARK: - The end

  /// Ends the exchange, once the response has been sent or the connection has closed. `status` is that of a response by
  /// the library itself, or 0.
  func end(isComplete: Bool, status: Int) {
    endSuspension()
    phase.withLock { $0 = .over }
    connection.startWaiting()
    server.endRequest()
    guard status != 0 || answer != nil || head != nil else { return }
    let path = head?.target.path ?? String(decoding: target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    server.report(
      AccessLogEntry(
        time: WallClock.now, id: id, client: client, method: method, path: path, route: answer?.route,
        status: answer?.status.rawValue ?? status, code: answer?.problemCode, receivedBytes: receivedCount,
        sentBytes: method == .head ? 0 : answer?.body.count ?? 0, duration: .now - begun,
        userAgent: head?.headers["user-agent"], isComplete: isComplete, traceID: traceID))
  }
}

/// The library's handle of a connection, valid during one request.
///
/// The library frees the handle when the connection closes, but never while it is suspended.
@safe struct SuspendableConnection: @unchecked Sendable {  // The library allows resuming from any thread.
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  /// Suspends the connection. Call it on the connection's own thread, inside a library callback.
  func suspend() {
    unsafe MHD_suspend_connection(handle)
  }

  /// Resumes a suspended connection.
  func resume() {
    unsafe MHD_resume_connection(handle)
  }
}
