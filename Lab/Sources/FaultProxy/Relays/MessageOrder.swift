// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// The order in which the messages of all connections pass the proxy. A request has passed when its reply arrives.
final class MessageOrder: Sendable {
  // The message passes anyway after this time, for a client that waits for its reply before it sends the next request.
  private static let limit = Duration.seconds(10)

  private let passed = Locked<[FaultRule.Direction: Int]>([:])

  /// Reports that a message has passed.
  func pass(_ direction: FaultRule.Direction) {
    passed.update { (passed) in passed[direction, default: 0] += 1 }
  }

  /// Blocks until another message of this direction has passed.
  ///
  /// - Returns: False if none did in time.
  func hold(_ direction: FaultRule.Direction) -> Bool {
    let before = passed.withLock { (passed) in passed[direction] ?? 0 }
    return passed.wait(until: .now + Self.limit) { (passed) in (passed[direction] ?? 0) > before ? true : nil } ?? false
  }
}
