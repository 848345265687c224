// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyService
internal import PasskeySystem

/// A rate limit: a burst, then one request per interval.
public struct RateLimit: Hashable, Sendable {
  /// The number of requests that a full budget allows at once.
  public let burst: Int

  /// The time in which one request is added to the budget.
  public let interval: Duration

  /// Creates a rate limit. The burst is at least 1, and the interval at least one microsecond.
  public init(burst: Int, then interval: Duration) {
    self.burst = min(max(1, burst), 1 << 20)
    self.interval = min(max(.microseconds(1), interval), .seconds(86_400))
  }

  /// Returns a limit that allows `factor` times as many requests.
  public func multiplied(by factor: Int) -> RateLimit {
    RateLimit(
      burst: burst.multipliedReportingOverflow(by: factor).overflow ? .max : burst * factor, then: interval / factor)
  }

  /// The interval in nanoseconds, at most 2^47.
  var nanoseconds: Int64 { interval.nanoseconds }
}

extension Duration {
  /// The duration in whole nanoseconds, saturated at about 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}

/// A rate limiter for addresses and accounts, with constant memory.
///
/// Each bucket stores one number: the time at which it is full again (generic cell rate algorithm). The buckets are in
/// a table of fixed size with eight per row. A new key evicts the bucket of its row that is full again the soonest,
/// which loses the least information. An attacker with enough addresses to evict buckets gains nothing beyond the
/// budgets of those addresses.
///
/// It is safe to use from any task. A call takes constant time.
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
  public func take(_ key: Key, at moment: ContinuousClock.Instant) -> Decision {
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

  /// Counts a request if the limit allows it.
  ///
  /// - Throws: ``RateLimiter/Exceeded`` if the limit does not allow the request.
  public func require(_ key: Key, at moment: ContinuousClock.Instant) throws(Exceeded) {
    if case .refused(let retryAfter) = take(key, at: moment) { throw Exceeded(retryAfter: retryAfter) }
  }
}

extension RateLimiter {
  /// The address, account or client whose requests share one rate-limit budget.
  public struct Key: Hashable, Sendable {
    private enum Kind: Hashable {
      case address(IPAddress)
      case account(String, IPAddress?)
      case knownAccount([UInt8], IPAddress)
      case client([UInt8], account: [UInt8])
      case site(IPAddress, MailKind?)
      case mails(MailKind, domain: String?)
    }

    private let kind: Kind

    /// Requests from an address. All IPv6 addresses of a /64 share one key, because a subscriber has at least a /64.
    public static func address(_ address: IPAddress) -> Key {
      Key(kind: .address(address.subscriber))
    }

    /// Requests for an account, whether it exists or not. With an address, only requests from that address: a flood
    /// from other addresses spends other budgets.
    public static func account(_ name: String, from address: IPAddress? = nil) -> Key {
      Key(kind: .account(name, address?.subscriber))
    }

    /// Requests of an account's known clients at an address.
    static func account(_ account: [UInt8], at address: IPAddress) -> Key {
      Key(kind: .knownAccount(account, address.subscriber))
    }

    /// Requests of one known client of an account.
    static func client(_ client: [UInt8], of account: [UInt8]) -> Key {
      Key(kind: .client(client, account: account))
    }

    /// Requests from the site of an address; with a kind, only those that send such mails.
    static func site(_ address: IPAddress, _ kind: MailKind? = nil) -> Key {
      Key(kind: .site(address.site, kind))
    }

    /// Requests that send mails of a kind, from any address: to the domain of an address, or to all.
    static func mails(_ kind: MailKind, to address: EmailAddress? = nil) -> Key {
      Key(kind: .mails(kind, domain: address.map(\.domain)))
    }

    /// A hash that outsiders cannot predict, because each process uses a random seed. It is never zero, which marks an
    /// empty bucket.
    var fingerprint: UInt64 {
      var hasher = Hasher()
      hasher.combine(kind)
      return UInt64(truncatingIfNeeded: Int64(hasher.finalize())) | 1 << 63
    }
  }
}

/// The kind of a request for a mail. Each has its own budgets, so that strangers do not spend those of accounts.
enum MailKind: Hashable {
  /// A stranger, for a sign-up.
  case signUp
  /// A person without a session, for a recovery.
  case recovery
  /// A signed-in account.
  case account
}

extension RateLimiter {
  /// An exceeded rate limit. The response states the wait in `Retry-After`.
  public struct Exceeded: Error, Hashable, Sendable {
    /// The time until another request is allowed.
    package let retryAfter: Duration

    /// Creates an error with the time to wait.
    package init(retryAfter: Duration) {
      self.retryAfter = retryAfter
    }

    /// The wait in whole seconds, rounded up, at least 1.
    var seconds: Int64 {
      let (seconds, attoseconds) = retryAfter.components
      return max(1, attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
    }
  }
}

extension RateLimiter.Exceeded: CustomStringConvertible {
  /// The code and the wait, for a log line.
  public var description: String { "\(EndpointError.Code.tooManyRequests.rawValue): retry after \(seconds) s" }
}
