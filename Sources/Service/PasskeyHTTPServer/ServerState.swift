// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
internal import PasskeySystem
internal import Synchronization

/// The state that all connections of a server share.
final class ServerState: Sendable {
  let limits: ServerLimits
  let proxies: TrustedProxies
  let isEncrypted: Bool
  let transportSecurity: StrictTransportSecurity
  let threadCount: Int
  let handler: EndpointHandler
  let accessLog: AccessLog?
  let metrics: ServerMetrics?

  private let connections: ConnectionTable
  private let exchanges = Atomic(0)
  private let suspended = Atomic(0)
  private let draining = Atomic(false)
  private let closed = Atomic(false)

  /// The number of requests and suspensions that have ended while the server drains. Its change wakes the thread that waits
  /// for them.
  private let endCount = Locked(0)

  init(_ configuration: HTTPServerConfiguration, _ handler: @escaping EndpointHandler) {
    limits = configuration.limits
    proxies = configuration.trustedProxies
    connections = ConnectionTable(configuration.limits, configuration.trustedProxies)
    isEncrypted = configuration.tls != nil
    transportSecurity = configuration.transportSecurity
    threadCount = configuration.threadCount
    accessLog = configuration.accessLog
    metrics = configuration.metrics.map { ServerMetrics($0) }
    self.handler = handler
  }

  // MARK: - Connections

  /// Decides whether to accept another connection from an address.
  func accepts(_ peer: IPAddress) -> Bool {
    switch connections.admit(peer) {
    case .admitted: return true
    case .refused(let limit):
      metrics?.countClosed(by: limit)
      return false
    }
  }

  func add(_ connection: Connection) {
    connections.add(connection)
    metrics?.addConnection()
  }

  func remove(_ connection: Connection) {
    connections.remove(connection)
    metrics?.removeConnection()
  }

  var connectionCount: Int { connections.count }

  // MARK: - Requests

  func beginRequest() {
    exchanges.wrappingAdd(1, ordering: .relaxed)
    metrics?.beginRequest()
  }

  func endRequest() {
    exchanges.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    metrics?.endRequest()
    reportEnd()
  }

  func beginSuspension() { suspended.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func endSuspension() {
    suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    reportEnd()
  }

  /// A server that drains either sees the lower count, or is woken. Before it drains, a request costs no lock.
  private func reportEnd() {
    if isDraining { endCount.update { $0 += 1 } }
  }

  var requestCount: Int { exchanges.load(ordering: .sequentiallyConsistent) }

  private var suspendedCount: Int { suspended.load(ordering: .sequentiallyConsistent) }

  func report(_ entry: AccessLogEntry) {
    metrics?.observe(entry)
    accessLog?.write(entry)
  }

  /// Rejects requests on this thread that have a malformed `Content-Length`.
  func refuseMalformedLengths() {
    for connection in allConnections { connection.refuseMalformedLength() }
  }

  // MARK: - Time

  /// Closes connections that have exceeded a deadline.
  func sweep() {
    let now = ContinuousClock.now
    for connection in allConnections {
      guard let limit = connection.sweep(now) else { continue }
      metrics?.countClosed(by: limit)
    }
  }

  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  func beginDraining() { draining.store(true, ordering: .sequentiallyConsistent) }

  /// Blocks until no request is open or arriving, at most until `deadline`. Closes connections as soon as they wait for another
  /// request. Call ``beginDraining()`` first.
  func waitForRequests(until deadline: ContinuousClock.Instant) {
    var seenCount = endCount.withLock { $0 }
    while ContinuousClock.now < deadline {
      let arrivingCount = allConnections.count { !$0.closeIfIdle() }
      guard requestCount + arrivingCount > 0 else { return }
      // The thread does not report what it reads.
      let pause = arrivingCount > 0 ? min(deadline, .now + .milliseconds(5)) : deadline
      seenCount = endCount.wait(until: pause) { $0 == seenCount ? nil : $0 } ?? seenCount
    }
  }

  /// Whether the server no longer handles requests.
  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// Answers all requests in progress with 503, and all later ones too. Blocks until no connection is suspended. Call
  /// ``beginDraining()`` first.
  func abandonRequests() {
    closed.store(true, ordering: .sequentiallyConsistent)
    while suspendedCount > 0 {
      for connection in allConnections { connection.abandon(EndpointError(.stopping)) }
      // A request that was about to begin is abandoned in the next pass.
      _ = endCount.wait(until: .now + .milliseconds(5)) { (_) in suspendedCount == 0 ? () : nil }
    }
  }

  private var allConnections: [Connection] { connections.all }
}
