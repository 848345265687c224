// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CurlTransfers

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

  /// Used by one thread.
  private final class Seen {
    var causes: [TransferFault.Cause] = []

    func add(_ outcome: TransferOutcome) {
      if case .failure(let fault) = outcome.result { causes.append(fault.cause) }
    }
  }
}
