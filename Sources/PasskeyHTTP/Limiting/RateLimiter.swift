// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// A rate limiter for addresses and accounts, with constant memory.
///
/// Each bucket stores one number: the time at which it is full again (generic cell rate algorithm). The buckets are in
/// a table of fixed size with eight per row. A new key evicts the bucket of its row that is full again the soonest,
/// which loses the least information. An attacker with enough addresses to evict buckets gains nothing beyond the
/// budgets of those addresses.
public final class RateLimiter: Sendable {
  /// The outcome of a request against the limit.
  public enum Decision: Hashable, Sendable {
    /// The request is within the limit.
    case allowed
    /// The request exceeds the limit; another one is allowed after this time.
    case refused(retryAfter: Duration)
  }

  private struct Bucket {
    var fingerprint: UInt64 = 0
    /// The time at which the bucket is full, in nanoseconds since `beginning`; no information if it is in the past.
    var fullAt: Int64 = .min
  }

  private static let rowLength = 8

  private let limit: RateLimit
  private let rowMask: UInt64
  private let beginning: ContinuousClock.Instant
  private let buckets: Locked<[Bucket]>

  /// Creates a limiter for about `keys` concurrent keys, each of which takes 16 bytes.
  ///
  /// `beginning` is the reference for all times. It must not be later than the first request.
  public init(_ limit: RateLimit, keys: Int = 1 << 16, beginning: ContinuousClock.Instant) {
    var rows = 1
    while rows < min(max(1, keys), 1 << 24) / Self.rowLength { rows *= 2 }
    self.limit = limit
    self.beginning = beginning
    rowMask = UInt64(rows - 1)
    buckets = Locked([Bucket](repeating: Bucket(), count: rows * Self.rowLength))
  }

  /// Counts a request if the limit allows it.
  public func take(_ key: RateLimitKey, at moment: ContinuousClock.Instant) -> Decision {
    let now = max(0, beginning.duration(to: moment).nanoseconds)
    let interval = limit.nanoseconds
    // A bucket has room for another request if it is full again within this time.
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

  /// Counts a request, or throws ``RateLimitExceeded`` if the limit does not allow it.
  public func require(_ key: RateLimitKey, at moment: ContinuousClock.Instant) throws(RateLimitExceeded) {
    if case .refused(let retryAfter) = take(key, at: moment) { throw RateLimitExceeded(retryAfter: retryAfter) }
  }
}
