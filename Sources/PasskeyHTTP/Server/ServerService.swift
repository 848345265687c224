// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state that all connections of a server share.
final class ServerService: Sendable {
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
  func admits(_ peer: IPAddress) -> Bool {
    switch connections.admit(peer) {
    case .admitted: return true
    case .refused(let limit):
      metrics?.cutsOff(limit)
      return false
    }
  }

  func opened(_ connection: Connection) {
    connections.add(connection)
    metrics?.opened()
  }

  func closed(_ connection: Connection) {
    connections.remove(connection)
    metrics?.closed()
  }

  var connectionCount: Int { connections.count }

  // MARK: - Requests

  func begins() {
    exchanges.wrappingAdd(1, ordering: .relaxed)
    metrics?.begins()
  }

  func ends() {
    exchanges.wrappingSubtract(1, ordering: .relaxed)
    metrics?.ends()
  }

  func suspends() { suspended.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  func resumed() { suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  var requestCount: Int { exchanges.load(ordering: .relaxed) }

  var suspendedCount: Int { suspended.load(ordering: .sequentiallyConsistent) }

  func completed(_ entry: AccessLogEntry) {
    metrics?.completed(entry)
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
      metrics?.cutsOff(limit)
    }
  }

  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func beginDraining() { draining.store(true, ordering: .relaxed) }

  /// Closes the connections that wait for another request.
  func closeIdleConnections() {
    for connection in allConnections { connection.cutOffIfIdle() }
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
