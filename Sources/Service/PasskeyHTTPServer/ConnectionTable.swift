// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyHTTP
internal import PasskeySystem

/// The open connections of a server, counted per client address. An IPv6 address counts as its /64.
///
/// At the total limit, a new connection replaces one of the address that holds the most. To deny service to other
/// clients, an attacker therefore needs as many addresses as there are connections. Connections of trusted proxies
/// carry many clients: they have no per-address limit and are never replaced.
final class ConnectionTable: Sendable {
  /// Whether a new connection is accepted, and if not, which limit it exceeds.
  enum Admission: Equatable {
    case admitted
    case refused(limit: String)
  }

  private struct State {
    var all: [ObjectIdentifier: Connection] = [:]
    /// The connections of each address, without those of proxies and replaced ones.
    var held: [IPAddress: [ObjectIdentifier: Connection]] = [:]
    /// The number of connections that were replaced and are not yet closed.
    var replacedCount = 0

    var count: Int { all.count - replacedCount }

    mutating func release(_ connection: Connection) -> Bool {
      let address = connection.peer.subscriber
      guard held[address]?.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return false }
      if held[address]?.isEmpty == true { held[address] = nil }
      return true
    }
  }

  // 64 connections  [all of one address by default; a flood of connections must not cost more than without the limit]
  private static let maximumExaminedCount = 64

  private let limits: ServerLimits
  private let proxies: TrustedProxies
  private let state = Locked(State())

  init(_ limits: ServerLimits, _ proxies: TrustedProxies) {
    self.limits = limits
    self.proxies = proxies
  }

  var count: Int { state.withLock { $0.all.count } }

  var all: [Connection] { state.withLock { Array($0.all.values) } }

  /// Decides whether to accept a new connection from an address, and at the total limit makes room for it.
  func admit(_ peer: IPAddress) -> Admission {
    let isProxy = proxies.contains(peer)
    return state.withLock { (state) in
      let held = isProxy ? 0 : state.held[peer.subscriber]?.count ?? 0
      if held >= limits.connectionsPerAddress { return .refused(limit: "connections-per-address") }
      guard state.count >= limits.connections else { return .admitted }
      let most = state.held.values.lazy.map(\.count).max() ?? 0
      // An address that already holds as many as any other gets no more.
      guard most > held else { return isProxy ? .admitted : .refused(limit: "connections") }
      // If every connection has a request in progress, the new one is accepted without a replacement.
      _ = replaceOne(in: &state, amongHoldersOf: most...) || replaceOne(in: &state, amongHoldersOf: (held + 1)...)
      return .admitted
    }
  }

  /// Closes one connection: an idle one first, then the one that has waited the longest.
  private func replaceOne(in state: inout State, amongHoldersOf counts: PartialRangeFrom<Int>) -> Bool {
    var oldest: (connection: Connection, wait: Connection.Wait)?
    var examinedCount = 0
    for connections in state.held.values where counts.contains(connections.count) {
      for connection in connections.values {
        examinedCount += 1
        guard let wait = connection.wait else { continue }
        if oldest.map({ wait < $0.wait }) ?? true { oldest = (connection, wait) }
      }
      if examinedCount >= Self.maximumExaminedCount { break }
    }
    // Its thread may have started a response in the meantime.
    guard let oldest, oldest.connection.close() else { return false }
    _ = state.release(oldest.connection)
    state.replacedCount += 1
    return true
  }

  /// Adds an admitted connection.
  ///
  /// Several connections of a burst can be admitted before the first of them is added, so the limits are checked again.
  func add(_ connection: Connection) {
    let isOneTooMany = state.withLock { (state) in
      let id = ObjectIdentifier(connection)
      state.all[id] = connection
      guard !proxies.contains(connection.peer) else { return false }
      state.held[connection.peer.subscriber, default: [:]][id] = connection
      if state.held[connection.peer.subscriber, default: [:]].count > limits.connectionsPerAddress { return true }
      if state.count > limits.connections {
        let most = state.held.values.lazy.map(\.count).max() ?? 0
        _ = replaceOne(in: &state, amongHoldersOf: most...)
      }
      return false
    }
    if isOneTooMany { _ = connection.close() }
  }

  /// Removes a closed connection.
  func remove(_ connection: Connection) {
    state.withLock { (state) in
      state.all[ObjectIdentifier(connection)] = nil
      let wasReplaced = !proxies.contains(connection.peer) && !state.release(connection)
      if wasReplaced { state.replacedCount -= 1 }
    }
  }
}
