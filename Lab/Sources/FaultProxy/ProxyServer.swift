// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// A proxy between a client and its server that applies faults by rules.
///
/// Each connection has threads of its own, so nothing here blocks Swift's cooperative pool. A proxy accepts connections until
/// ``close()``.
package final class ProxyServer: Sendable {
  /// The protocol of the forwarded bytes.
  package enum Traffic: Sendable {
    /// HTTP/1.1, message after message.
    case http
    /// Anything. Rules match words, and messages have no ends.
    case bytes
  }

  /// The port for the client.
  package var port: UInt16 { address.port }

  /// The address for the client.
  package let address: SocketAddress

  /// Whether only this machine can reach the proxy.
  package let isLoopback: Bool

  private let listener: FileDescriptor
  private let server: SocketAddress
  private let traffic: Traffic
  private let book: RuleBook
  private let order = MessageOrder()
  private let report: @Sendable (ProxyEvent) -> Void
  private let limits: ProxyLimits
  private let held: HeldBytes
  private let openCount = Locked(0)
  private let state = Locked(State())

  private struct State {
    var phase = Phase.bound
    var connectionCount = 0
    var lines: [WeakLine] = []
  }

  private enum Phase {
    case bound
    case accepting
    case closed
  }

  /// A line that does not stay open because it is listed.
  private struct WeakLine: Sendable {
    weak let line: ProxyLine?
  }

  /// Creates a proxy. It refuses connections until ``open()`` is called.
  ///
  /// - Parameters:
  ///   - server: The address of the server.
  ///   - address: The address to listen at.
  ///   - traffic: The protocol of the forwarded bytes.
  ///   - rules: The faults.
  ///   - allowingClientsOfOtherMachines: Whether the address may be one that other machines can reach. A server of this
  ///     machine sees every connection come from 127.0.0.1, and may give it the rights of a local program. A
  ///     request of another machine therefore gets `X-Forwarded-For`; other protocols have nothing like it.
  ///   - report: A function that is called for each request, or for each fault in ``Traffic/bytes``, on any thread.
  /// - Throws: `proxy.cannot-listen`, `proxy.not-loopback`.
  package convenience init(
    to server: SocketAddress, at address: SocketAddress = .loopback(), _ traffic: Traffic = .http,
    rules: [FaultRule] = [], allowingClientsOfOtherMachines: Bool = false,
    report: @escaping @Sendable (ProxyEvent) -> Void = { (_) in }
  ) throws(FaultProxyError) {
    try self.init(
      to: server, at: address, traffic, rules: rules, limits: ProxyLimits(),
      allowingClientsOfOtherMachines: allowingClientsOfOtherMachines, report: report)
  }

  init(
    to server: SocketAddress, at address: SocketAddress, _ traffic: Traffic, rules: [FaultRule], limits: ProxyLimits,
    allowingClientsOfOtherMachines: Bool, report: @escaping @Sendable (ProxyEvent) -> Void
  ) throws(FaultProxyError) {
    let bound = try mapError(address.bound()) { (error: SystemError) in
      FaultProxyError(.cannotListen, "\(address): \(error.message)")
    }
    // The bound address counts: a name such as localhost can resolve to any.
    guard bound.address.isLoopback || allowingClientsOfOtherMachines else {
      bound.socket.close()
      throw FaultProxyError(.notLoopback, "\(address)")
    }
    listener = bound.socket
    self.address = SocketAddress(host: address.host, port: bound.address.port)
    isLoopback = bound.address.isLoopback
    self.limits = limits
    held = HeldBytes(limit: limits.heldByteCount)
    self.server = server
    self.traffic = traffic
    self.report = report
    book = RuleBook(rules)
  }

  /// Accepts connections from now on.
  ///
  /// - Throws: `proxy.cannot-listen`.
  package func open() throws(FaultProxyError) {
    try mapError(listener.listen()) { (error: SystemError) in
      FaultProxyError(.cannotListen, "\(address): \(error.message)")
    }
    state.withLock { (state) in state.phase = .accepting }
    guard SystemThread.start({ [self] in acceptAll() }) else {
      state.withLock { (state) in state.phase = .bound }
      throw FaultProxyError(.cannotListen, "cannot start a thread")
    }
  }

  /// Adds a rule. Earlier traffic does not count as a match.
  package func add(_ rule: FaultRule) {
    book.add(rule)
  }

  /// The number of faults that have happened.
  package var faultCount: Int { book.happened }

  /// Resets all connections, on both sides.
  package func resetAll() {
    for line in state.withLock({ (state) in state.lines.compactMap(\.line) }) { line.reset() }
  }

  /// Refuses connections from now on. Open connections stay.
  package func close() {
    let phase = state.withLock { (state) in
      defer { state.phase = .closed }
      return state.phase
    }
    switch phase {
    case .bound: listener.close()
    // The thread that accepts closes the socket.
    case .accepting: listener.shutDown(.both)
    case .closed: break
    }
  }

  private func acceptAll() {
    while state.withLock({ (state) in state.phase == .accepting }) {
      guard let client = try? UnixSocket.accept(from: listener) else {
        // The client has given up, or there are too many open files for the moment.
        SystemThread.sleep(until: .now + .milliseconds(10))
        continue
      }
      client.sendWithoutDelay()
      let place = ConnectionPlace(of: openCount)
      let number = state.withLock { (state) in
        state.connectionCount += 1
        return state.connectionCount
      }
      guard openCount.withLock({ (count) in count <= limits.connectionCount }) else {
        refuse(client, number, "there are \(limits.connectionCount) other connections")
        continue
      }
      // Connecting can take long.
      let isStarted = SystemThread.start { [self] in serve(client, number, place) }
      if !isStarted { refuse(client, number, "the system cannot start a thread") }
    }
    listener.close()
  }

  private func refuse(_ client: FileDescriptor, _ number: Int, _ reason: String) {
    var event = ProxyEvent(connection: number, subject: "connection")
    event.note = reason
    report(event)
    client.reset()
    client.close()
  }

  private func serve(_ client: FileDescriptor, _ number: Int, _ place: ConnectionPlace) {
    let server: FileDescriptor
    do throws(SystemError) {
      server = try self.server.connected(within: limits.sendDuration)
    } catch {
      return refuse(client, number, "the server \(self.server) cannot be reached: \(error.message)")
    }
    let line = ProxyLine(number: number, client: client, server: server, place)
    state.withLock { (state) in
      state.lines = state.lines.filter { $0.line != nil } + [WeakLine(line: line)]
    }
    switch traffic {
    case .http:
      var relay = HTTPRelay(line, to: self.server, book, order, limits, held, report)
      relay.run()
    case .bytes: ByteRelay(line, book, limits, report).run()
    }
  }
}

/// A connection that counts as open for as long as it has this object.
final class ConnectionPlace: Sendable {
  private let count: Locked<Int>

  init(of count: Locked<Int>) {
    self.count = count
    count.update { (count) in count += 1 }
  }

  deinit {
    count.update { (count) in count -= 1 }
  }
}

/// The two sockets of a connection through the proxy, which are closed when no thread uses them any more.
final class ProxyLine: Sendable {
  let number: Int
  let client: FileDescriptor
  let server: FileDescriptor

  /// The client's address if it is not one of this machine.
  let otherMachine: String?

  private let place: ConnectionPlace

  init(number: Int, client: FileDescriptor, server: FileDescriptor, _ place: ConnectionPlace) {
    self.number = number
    self.client = client
    self.server = server
    self.place = place
    let peer = client.peer
    // A client whose address is unknown has disconnected already.
    otherMachine = peer?.isLoopback == true ? nil : peer?.host ?? "unknown"
  }

  deinit {
    server.close()
    client.close()
  }

  /// Resets both connections.
  func reset() {
    client.reset()
    server.reset()
  }

  /// Ends both connections as usual.
  func end() {
    client.shutDown(.both)
    server.shutDown(.both)
  }
}
