// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import PasskeySystem

/// A connection that reconnects after it is lost, with exponential back-off while the server is unreachable.
final class PostgreSQLReconnector: @unchecked Sendable {  // Used by one thread at a time.
  private let configuration: PostgreSQLConfiguration
  private let isDurable: Bool
  private var connection: PostgreSQLConnection?
  private let backOff: PostgreSQLBackOff

  /// Creates a reconnector without connecting. `isDurable` makes commits wait for the disk (`synchronous_commit`).
  init(_ configuration: PostgreSQLConfiguration, _ backOff: PostgreSQLBackOff, isDurable: Bool = true) {
    self.configuration = configuration
    self.backOff = backOff
    self.isDurable = isDurable
  }

  /// Returns the connection. Connects if necessary, blocking the calling thread until `deadline`.
  func connected(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let connection { return connection }
    while true {
      let nextAttempt = backOff.nextAttempt
      guard nextAttempt <= deadline else { throw .lost("the database is unreachable") }
      SystemThread.sleep(until: nextAttempt)
      do throws(PostgreSQLFailure) {
        let connection = try PostgreSQLConnection(configuration, isDurable: isDurable)
        self.connection = connection
        backOff.end()
        return connection
      } catch {
        backOff.extend()
        guard error.remedy != .none, backOff.nextAttempt <= deadline else { throw error }
      }
    }
  }

  /// Rolls back the failed transaction. Drops the connection if it is no longer usable.
  func recover(from failure: PostgreSQLFailure) {
    guard failure.remedy != .reconnect, failure.error.code != .outcomeUnknown, let connection else {
      self.connection = nil
      return
    }
    do throws(PostgreSQLFailure) {
      try connection.rollBack()
    } catch {
      self.connection = nil
    }
  }
}

/// When to connect next to a server that was unreachable. Several connections share it, so that all of them return as
/// soon as one has reached the server.
final class PostgreSQLBackOff: Sendable {
  private struct State {
    var pause = PostgreSQLBackOff.firstPause
    var nextAttempt = ContinuousClock.now
  }

  private let state = Locked(State())

  private static let firstPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(2)

  var nextAttempt: ContinuousClock.Instant { state.withLock(\.nextAttempt) }

  /// Adds jitter, so that servers that lost the database together do not reconnect at the same moment.
  func extend() {
    state.withLock { (state) in
      state.nextAttempt = .now + state.pause * Double.random(in: 0.5...1)
      state.pause = min(state.pause * 2, Self.longestPause)
    }
  }

  func end() {
    state.withLock { (state) in state = State() }
  }
}
