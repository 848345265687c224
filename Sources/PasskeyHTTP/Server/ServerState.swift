// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state that all connections of a server share.
final class ServerState: Sendable {
  let limits: ServerLimits
  let proxies: TrustedProxies
  let isEncrypted: Bool
  let threadCount: Int
  let handler: HTTPHandler
  let accessLog: AccessLog?
  let metrics: ServerMetrics?

  private let connections: ConnectionTable
  private let exchanges = Atomic(0)
  private let suspended = Atomic(0)
  private let draining = Atomic(false)
  private let closed = Atomic(false)

  init(_ configuration: HTTPServerConfiguration, _ handler: @escaping HTTPHandler) {
    limits = configuration.limits
    proxies = configuration.trustedProxies
    connections = ConnectionTable(configuration.limits, configuration.trustedProxies)
    isEncrypted = configuration.tls != nil
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
    exchanges.wrappingSubtract(1, ordering: .relaxed)
    metrics?.endRequest()
  }

  func beginSuspension() { suspended.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func endSuspension() { suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  var requestCount: Int { exchanges.load(ordering: .relaxed) }

  var suspendedCount: Int { suspended.load(ordering: .sequentiallyConsistent) }

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

  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func beginDraining() { draining.store(true, ordering: .relaxed) }

  /// Closes the connections that wait for another request.
  func closeIdleConnections() {
    for connection in allConnections { connection.closeIfIdle() }
  }

  /// Whether the server no longer handles requests.
  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// Answers all requests in progress with 503, and all later ones too.
  func abandonAll() {
    closed.store(true, ordering: .sequentiallyConsistent)
    for connection in allConnections { connection.abandon(HTTPError(.stopping)) }
  }

  private var allConnections: [Connection] { connections.all }
}
