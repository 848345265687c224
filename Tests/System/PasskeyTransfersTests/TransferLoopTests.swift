// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeyTransfers

@Suite struct TransferLoopTests {
  @Test func `each transfer is reported once, and a reported transfer may start another`() async throws {
    // Port 1 refuses connections.
    let request = TransferRequest(
      "http://127.0.0.1:1/", scheme: "http", .http(HTTPContent(method: "GET", userAgent: "test")),
      connectTimeout: .seconds(10), totalTimeout: .seconds(30), maximumBodyByteCount: 100, maximumHeaderByteCount: 100)
    let causes = try await waiting {
      let loop = try #require(TransferLoop())
      let seen = Seen()
      for _ in 0..<3 {
        loop.start(request) { (outcome) in
          seen.add(outcome)
          loop.start(request) { (outcome) in seen.add(outcome) }
        }
      }
      // A moment in the past interrupts the wait at once, without losing replies.
      #expect(
        HangGuard.waits { () -> Bool in
          loop.advance(until: 0)
          return loop.count == 0
        })
      return seen.causes
    }
    #expect(causes == [TransferFault.Cause](repeating: .connectFailed, count: 6))
  }

  @Test func `each address of a name is checked, and none is connected to without leave`() async throws {
    let seen = Addresses()
    var request = TransferRequest(
      "http://raxx.example:1/", scheme: "http", .http(HTTPContent(method: "GET", userAgent: "test")),
      connectTimeout: .seconds(10), totalTimeout: .seconds(30), maximumBodyByteCount: 100, maximumHeaderByteCount: 100)
    request.resolve = ["raxx.example:1:127.0.0.2,[2001:db8::ff]"]
    request.mayConnect = { (address) in
      seen.all.withLock { _ = $0.insert(address.bytes) }
      return false
    }
    let causes = try await waiting { [request] in
      let loop = try #require(TransferLoop())
      let causes = Seen()
      loop.start(request) { (outcome) in causes.add(outcome) }
      while loop.count > 0 { loop.advance(until: .max) }
      return causes.causes
    }
    #expect(causes == [.addressRefused])
    let expected = ["127.0.0.2", "2001:db8::ff"].map { NumericAddress.bytes(of: $0) ?? [] }
    #expect(seen.all.withLock { $0 } == Set(expected))
  }

  private final class Addresses: Sendable { let all = Locked<Set<[UInt8]>>([]) }

  /// Used by one thread.
  private final class Seen {
    var causes: [TransferFault.Cause] = []

    func add(_ outcome: TransferOutcome) {
      if case .failure(let fault) = outcome.result { causes.append(fault.cause) }
    }
  }
}
