// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemCrypto
internal import SystemIO

/// What all connections of a server share.
final class ServerService: Sendable {
  let limits: ServerLimits
  let proxies: TrustedProxies
  let isEncrypted: Bool
  let threadCount: Int
  let handler: HTTPHandler
  let accessLog: AccessLog?
  let metrics: ServerMetrics?

  private let connections = Locked<[ObjectIdentifier: Connection]>([:])
  private let perAddress = Locked<[IPAddress: Int]>([:])
  private let exchanges = Atomic(0)
  private let suspended = Atomic(0)
  private let draining = Atomic(false)
  private let closed = Atomic(false)

  init(_ configuration: HTTPServerConfiguration, _ handler: @escaping HTTPHandler) {
    limits = configuration.limits
    proxies = configuration.trustedProxies
    isEncrypted = configuration.tls != nil
    threadCount = configuration.threadCount
    accessLog = configuration.accessLog
    metrics = configuration.metrics.map { ServerMetrics($0) }
    self.handler = handler
  }

  // MARK: - Connections

  /// Whether another connection from an address may be taken. The count itself is kept by ``opened(_:)``; this spares the
  /// server from making a connection that it would cut off.
  func admits(_ peer: IPAddress) -> Bool {
    guard !proxies.contains(peer) else { return true }
    let count = perAddress.withLock { $0[peer.subscriber] ?? 0 }
    if count >= limits.connectionsPerAddress { metrics?.cutsOff("connections-per-address") }
    return count < limits.connectionsPerAddress
  }

  func opened(_ connection: Connection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    metrics?.opened()
    guard !proxies.contains(connection.peer) else { return }
    let count = perAddress.withLock { (perAddress) in
      let count = (perAddress[connection.peer.subscriber] ?? 0) + 1
      perAddress[connection.peer.subscriber] = count
      return count
    }
    // Two threads can admit the last one at the same time.
    if count > limits.connectionsPerAddress { connection.cutOff() }
  }

  func closed(_ connection: Connection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    metrics?.closed()
    guard !proxies.contains(connection.peer) else { return }
    perAddress.withLock { (perAddress) in
      let count = (perAddress[connection.peer.subscriber] ?? 0) - 1
      perAddress[connection.peer.subscriber] = count > 0 ? count : nil
    }
  }

  var connectionCount: Int { connections.withLock { $0.count } }

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

  /// Refuses the requests of this thread whose `Content-Length` is malformed.
  func refuseMalformedLengths() {
    for connection in allConnections { connection.refuseMalformedLength() }
  }

  // MARK: - Time

  /// Ends what has taken too long.
  func sweep() {
    let now = ContinuousClock.now
    for connection in allConnections {
      guard let limit = connection.sweep(now) else { continue }
      metrics?.cutsOff(limit)
    }
  }

  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func beginDraining() { draining.store(true, ordering: .relaxed) }

  /// Ends the connections that wait for another request.
  func closeIdleConnections() {
    for connection in allConnections { connection.cutOffIfIdle() }
  }

  /// Whether nothing is worked on any more.
  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// Answers whatever is being worked on with 503, and from now on whatever else comes.
  func abandonAll() {
    closed.store(true, ordering: .sequentiallyConsistent)
    for connection in allConnections { connection.abandon(HTTPError(.stopping)) }
  }

  private var allConnections: [Connection] { connections.withLock { Array($0.values) } }
}
