// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnClient

/// The pauses before one request is repeated because the server limits requests.
struct LimitPause {
  private let patience: Duration
  private let now: @Sendable () -> UnixTime
  private var waited = Duration.zero
  private var count = 0

  // 10 times [a server that states shorter times than it means would otherwise use up the requests]
  private static let maximumCount = 10

  init(patience: Duration, now: @escaping @Sendable () -> UnixTime) {
    self.patience = patience
    self.now = now
  }

  /// Returns the time to wait after a response with status 429: that of `Retry-After`, in seconds or as a date, and at
  /// least a second.
  ///
  /// - Throws: ``CannotTell`` if the pauses are longer than the audit waits, or too many.
  mutating func next(after reply: ServerReply) throws(CannotTell) -> Duration {
    let pause = Duration.seconds(max(1, reply.retryAfter(now: now()) ?? 1))
    waited += pause
    count += 1
    guard waited <= patience else {
      throw CannotTell("the server limits requests: status 429 for longer than \(patience)")
    }
    guard count <= Self.maximumCount else {
      throw CannotTell("the server limits requests: status 429 after \(Self.maximumCount) pauses")
    }
    return pause
  }
}
