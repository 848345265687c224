// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

struct RateLimiterTests {
  private let beginning = ContinuousClock.now

  @Test func `a burst is allowed, then one request an interval`() {
    let limiter = RateLimiter(RateLimit(burst: 3, then: .seconds(10)), beginning: beginning)
    let key = RateLimiter.Key.account("a")
    for _ in 0..<3 { #expect(limiter.take(key, at: beginning) == .allowed) }
    #expect(limiter.take(key, at: beginning) == .refused(retryAfter: .seconds(10)))
    #expect(limiter.take(key, at: beginning + .seconds(4)) == .refused(retryAfter: .seconds(6)))
    // A refused request costs nothing.
    #expect(limiter.take(key, at: beginning + .seconds(10)) == .allowed)
    #expect(limiter.take(key, at: beginning + .seconds(10)) == .refused(retryAfter: .seconds(10)))
    // A pause refills the budget, up to its limit.
    for _ in 0..<3 { #expect(limiter.take(key, at: beginning + .seconds(1_000)) == .allowed) }
    #expect(limiter.take(key, at: beginning + .seconds(1_000)) != .allowed)
  }

  @Test func `each key has its own limit`() throws {
    let limiter = RateLimiter(RateLimit(burst: 1, then: .seconds(10)), beginning: beginning)
    let keys = [
      RateLimiter.Key.account("a"), .account("b"), .address(try #require(IPAddress("192.0.2.1"))),
      .address(try #require(IPAddress("192.0.2.2"))), .address(try #require(IPAddress("2001:db8:0:1::1"))),
      .address(try #require(IPAddress("2001:db8:0:2::1"))),
    ]
    for key in keys { #expect(limiter.take(key, at: beginning) == .allowed) }
    for key in keys { #expect(limiter.take(key, at: beginning) != .allowed) }
  }

  @Test func `all addresses of one network share a limit`() throws {
    let limiter = RateLimiter(RateLimit(burst: 1, then: .seconds(10)), beginning: beginning)
    #expect(limiter.take(.address(try #require(IPAddress("2001:db8::1"))), at: beginning) == .allowed)
    #expect(limiter.take(.address(try #require(IPAddress("2001:db8::ffff:0:0:1"))), at: beginning) != .allowed)
  }

  @Test func `an error contains the time to wait`() {
    let limiter = RateLimiter(RateLimit(burst: 1, then: .seconds(10)), beginning: beginning)
    #expect(throws: Never.self) { try limiter.require(.account("a"), at: beginning) }
    #expect(throws: RateLimiter.Exceeded(retryAfter: .seconds(10))) {
      try limiter.require(.account("a"), at: beginning)
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `a million keys need no more memory than one`() async throws {
    let number = Sanitizer.isPresent ? 100_000 : 1_000_000
    // On a separate thread, because it blocks for seconds.
    let counts = try await waiting { [beginning] in
      let limiter = RateLimiter(RateLimit(burst: 2, then: .seconds(10)), keys: 1_024, beginning: beginning)
      func take(_ number: UInt32) { _ = limiter.take(.address(IPAddress(v4: number)), at: beginning) }
      take(0)
      // Each call may allocate temporarily, so many calls are compared with one.
      let one = AllocationCounter.bytes { take(1) }
      return (one, AllocationCounter.bytes { for key in 0..<number { take(UInt32(key)) } })
    }
    #expect(counts.0 < 4_096)
    #expect(counts.1 <= counts.0 * number)
  }

  @Test func `an empty bucket is remembered while other keys come and go`() {
    let limiter = RateLimiter(RateLimit(burst: 4, then: .seconds(10)), keys: 1_024, beginning: beginning)
    let key = RateLimiter.Key.account("the one")
    for _ in 0..<4 { #expect(limiter.take(key, at: beginning) == .allowed) }
    for number in 0..<20_000 { _ = limiter.take(.account(String(number)), at: beginning) }
    #expect(limiter.take(key, at: beginning) != .allowed)
  }

  @Test func `extreme times are harmless`() {
    let limiter = RateLimiter(RateLimit(burst: .max, then: .seconds(Int64.max)), keys: -1, beginning: beginning)
    #expect(limiter.take(.account("a"), at: beginning - .seconds(10)) == .allowed)
    #expect(limiter.take(.account("a"), at: beginning + .seconds(8_000_000_000)) == .allowed)
    let least = RateLimiter(RateLimit(burst: 0, then: .zero), beginning: beginning)
    #expect(least.take(.account("a"), at: beginning) == .allowed)
  }
}
