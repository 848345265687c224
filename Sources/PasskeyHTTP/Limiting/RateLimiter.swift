// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// Counts the requests of each address or account against a limit, in memory that does not grow.
///
/// A key's bucket is one number: the moment at which it will be full again (the generic cell rate algorithm). Buckets
/// stand in a table of fixed size, eight to a row; a new key takes the place of the one in its row that is full the
/// soonest, which is the one about which the least is forgotten. Whoever has so many addresses that he can push his own
/// buckets out gains nothing that the addresses did not give him already.
public final class RateLimiter: Sendable {
  /// What the limit says.
  public enum Decision: Hashable, Sendable {
    /// There may be another request.
    case allowed
    /// There may be one after this time.
    case refused(retryAfter: Duration)
  }

  private struct Bucket {
    var fingerprint: UInt64 = 0
    /// In nanoseconds since the limiter was made; a bucket that is full at present says nothing.
    var fullAt: Int64 = .min
  }

  private static let rowLength = 8

  private let limit: RateLimit
  private let rowMask: UInt64
  private let beginning: ContinuousClock.Instant
  private let buckets: Locked<[Bucket]>

  /// A limiter for about so many keys at once, each of which takes 16 bytes.
  ///
  /// `beginning` is a moment before or at the first request, from which all moments are reckoned.
  public init(_ limit: RateLimit, keys: Int = 1 << 16, beginning: ContinuousClock.Instant) {
    var rows = 1
    while rows < min(max(1, keys), 1 << 24) / Self.rowLength { rows *= 2 }
    self.limit = limit
    self.beginning = beginning
    rowMask = UInt64(rows - 1)
    buckets = Locked([Bucket](repeating: Bucket(), count: rows * Self.rowLength))
  }

  /// Counts a request, unless there may be none.
  public func take(_ key: RateLimitKey, at moment: ContinuousClock.Instant) -> Decision {
    let now = max(0, beginning.duration(to: moment).nanoseconds)
    let interval = limit.nanoseconds
    // A bucket of `burst` has room for another while it would be full before this much time has gone by.
    let (room, overflow) = interval.multipliedReportingOverflow(by: Int64(limit.burst - 1))
    let tolerance = overflow ? Int64.max / 4 : min(room, Int64.max / 4)
    let fingerprint = key.fingerprint
    let first = Int(truncatingIfNeeded: fingerprint & rowMask) * Self.rowLength
    return buckets.withLock { (buckets) in
      let row = first..<first + Self.rowLength
      let index =
        row.first { buckets[$0].fingerprint == fingerprint }
        ?? row.min { buckets[$0].fullAt < buckets[$1].fullAt } ?? first
      let fullAt = buckets[index].fingerprint == fingerprint ? max(now, buckets[index].fullAt) : now
      let wait = fullAt - now - tolerance
      guard wait <= 0 else { return .refused(retryAfter: .nanoseconds(wait)) }
      let (next, overflow) = fullAt.addingReportingOverflow(interval)
      buckets[index] = Bucket(fingerprint: fingerprint, fullAt: overflow ? .max : next)
      return .allowed
    }
  }

  /// Counts a request, and fails with an error that the client is told where there may be none.
  public func require(_ key: RateLimitKey, at moment: ContinuousClock.Instant) throws(RateLimitExceeded) {
    if case .refused(let retryAfter) = take(key, at: moment) { throw RateLimitExceeded(retryAfter: retryAfter) }
  }
}
