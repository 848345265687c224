// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// A connection that is made anew when it was lost, with longer and longer pauses while the server stays away.
final class PostgreSQLLink: @unchecked Sendable {  // One thread at a time has it.
  private let configuration: PostgreSQLConfiguration
  private let isDurable: Bool
  private var connection: PostgreSQLConnection?
  private var pause = PostgreSQLLink.firstPause
  private var nextAttempt = ContinuousClock.now

  private static let firstPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(2)

  /// A connection whose commits wait for the disk, or do not.
  init(_ configuration: PostgreSQLConfiguration, isDurable: Bool = true) {
    self.configuration = configuration
    self.isDurable = isDurable
  }

  /// The connection; waits for one, in the caller's thread, until `deadline`.
  func connected(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let connection { return connection }
    while true {
      guard nextAttempt <= deadline else { throw .lost("the database is away") }
      SystemThread.sleep(until: nextAttempt)
      do throws(PostgreSQLFailure) {
        let connection = try PostgreSQLConnection(configuration, isDurable: isDurable)
        self.connection = connection
        pause = Self.firstPause
        return connection
      } catch {
        waitLonger()
        guard error.remedy != .none, nextAttempt <= deadline else { throw error }
      }
    }
  }

  /// Ends the transaction that failed; with its connection, where that is of no use any more.
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

  /// Servers that lost their database together are not to come back at one moment.
  private func waitLonger() {
    nextAttempt = .now + pause * Double.random(in: 0.5...1)
    pause = min(pause * 2, Self.longestPause)
  }
}
