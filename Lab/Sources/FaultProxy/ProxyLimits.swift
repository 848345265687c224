// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// The limits of a proxy. Their values suit tests of an app; only this module's tests set others.
struct ProxyLimits: Sendable {
  // 256  [a browser opens six to a host, a load test some dozens; each has up to two threads]
  var connectionCount = 256

  // 64 KiB  [servers accept 8 to 16 KiB]
  var headByteCount = 1 << 16

  // 16 MiB  [requests, and replies that a rule changes, repeats or holds back, are read whole]
  var messageByteCount = 16 << 20

  // 64 MiB  [of all connections together; the process needs up to four times as much for copies]
  var heldByteCount = 64 << 20

  // 30 s  [a head has a few packets]
  var headDuration = Duration.seconds(30)

  // 5 min  [16 MiB at 56 KB/s]
  var requestDuration = Duration.seconds(300)

  // 5 min  [servers close idle connections after 5 to 75 s]
  var idleDuration = Duration.seconds(300)

  // 10 min  [event streams send something every minute]
  var silenceDuration = Duration.seconds(600)

  // 1 min for 64 KiB  [1 KB/s]
  var sendDuration = Duration.seconds(60)

  // 1 h without a byte in either direction  [a database's connection in a pool]
  var byteIdleDuration = Duration.seconds(3600)
}

/// The bytes of messages that all connections of a proxy keep in memory.
final class HeldBytes: Sendable {
  private let limit: Int
  private let count = Locked(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns whether there is room for more bytes, and counts them if there is.
  func take(_ more: Int) -> Bool {
    count.withLock { (count) in
      guard more <= limit - count else { return false }
      count += more
      return true
    }
  }

  func release(_ released: Int) {
    count.withLock { (count) in count -= released }
  }

  /// Whether nothing is kept.
  var isEmpty: Bool { count.withLock { (count) in count == 0 } }
}
