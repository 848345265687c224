// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// The open connections of a server, and how many of them each address holds. An IPv6 address counts as its /64.
///
/// When the total is reached, a new connection takes the place of one that belongs to the address that holds the most. To
/// keep another client out, an attacker therefore needs as many addresses as there are connections. Connections of trusted
/// proxies belong to many clients: they have no limit by address and are never replaced.
final class ConnectionTable: Sendable {
  /// Whether a connection may be made, and if not, which limit it met.
  enum Admission: Equatable {
    case admitted
    case refused(limit: String)
  }

  private struct State {
    var all: [ObjectIdentifier: Connection] = [:]
    /// The connections of each address, without those of proxies and those that were replaced.
    var held: [IPAddress: [ObjectIdentifier: Connection]] = [:]
    /// How many connections were replaced and not yet closed.
    var replacedCount = 0

    var count: Int { all.count - replacedCount }

    mutating func release(_ connection: Connection) -> Bool {
      let address = connection.peer.subscriber
      guard held[address]?.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return false }
      if held[address]?.isEmpty == true { held[address] = nil }
      return true
    }
  }

  // 64 connections  [all of one address by default. A flood of connections must not cost more than it does without the limit]
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

  /// Decides about another connection from an address before it is made, and makes room for it when the total is reached.
  func admit(_ peer: IPAddress) -> Admission {
    let isProxy = proxies.contains(peer)
    return state.withLock { (state) in
      let held = isProxy ? 0 : state.held[peer.subscriber]?.count ?? 0
      if held >= limits.connectionsPerAddress { return .refused(limit: "connections-per-address") }
      guard state.count >= limits.connections else { return .admitted }
      let most = state.held.values.lazy.map(\.count).max() ?? 0
      // An address that holds as much as any other gets no more.
      guard most > held else { return isProxy ? .admitted : .refused(limit: "connections") }
      // If the server works on every request, this connection waits its turn.
      _ = replaceOne(in: &state, amongHoldersOf: most...) || replaceOne(in: &state, amongHoldersOf: (held + 1)...)
      return .admitted
    }
  }

  /// Ends one connection: an idle one before others, then the one that has waited the longest.
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
    // Its thread may have begun to answer meanwhile.
    guard let oldest, oldest.connection.cutOff() else { return false }
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
    if isOneTooMany { _ = connection.cutOff() }
  }

  /// Removes a connection that was closed.
  func remove(_ connection: Connection) {
    state.withLock { (state) in
      state.all[ObjectIdentifier(connection)] = nil
      let wasReplaced = !proxies.contains(connection.peer) && !state.release(connection)
      if wasReplaced { state.replacedCount -= 1 }
    }
  }
}
