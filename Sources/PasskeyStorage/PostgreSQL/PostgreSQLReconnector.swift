// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// A connection that reconnects after it is lost, with exponential back-off while the server is unreachable.
final class PostgreSQLReconnector: @unchecked Sendable {  // Used by one thread at a time.
  private let configuration: PostgreSQLConfiguration
  private let isDurable: Bool
  private var connection: PostgreSQLConnection?
  private var pause = PostgreSQLReconnector.firstPause
  private var nextAttempt = ContinuousClock.now

  private static let firstPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(2)

  /// Creates a reconnector without connecting. `isDurable` makes commits wait for the disk (`synchronous_commit`).
  init(_ configuration: PostgreSQLConfiguration, isDurable: Bool = true) {
    self.configuration = configuration
    self.isDurable = isDurable
  }

  /// Returns the connection. Connects if necessary, blocking the calling thread until `deadline`.
  func connected(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let connection { return connection }
    while true {
      guard nextAttempt <= deadline else { throw .lost("the database is unreachable") }
      SystemThread.sleep(until: nextAttempt)
      do throws(PostgreSQLFailure) {
        let connection = try PostgreSQLConnection(configuration, isDurable: isDurable)
        self.connection = connection
        pause = Self.firstPause
        return connection
      } catch {
        backOff()
        guard error.remedy != .none, nextAttempt <= deadline else { throw error }
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

  /// Adds jitter, so that servers that lost the database together do not reconnect at the same moment.
  private func backOff() {
    nextAttempt = .now + pause * Double.random(in: 0.5...1)
    pause = min(pause * 2, Self.longestPause)
  }
}
