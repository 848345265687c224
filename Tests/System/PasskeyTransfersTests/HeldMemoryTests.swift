// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyTransfers

/// Handles and lists of libcurl that are not freed. The leak sanitizer overlooks them: libcurl leaks by itself, so its
/// reports are suppressed.
@Suite(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
struct HeldMemoryTests {
  // 16 bytes a run [the smallest block has 32]
  private static let limit = 16.0

  @Test func `converting a host name leaves nothing behind`() {
    let held = AllocationCounter.heldBytes {
      _ = InternationalHost.origin(ofURL: "https://bücher.example:8443/")
      _ = InternationalHost.origin(ofURL: "https://a b")
    }
    #expect(held < Self.limit)
  }

  @Test func `a transfer leaves nothing behind`() async throws {
    // Port 1 refuses connections.
    var content = HTTPContent(method: "POST", body: Array("body".utf8), userAgent: "test")
    content.fields = [HTTPContentField("x-name", "value")]
    var request = TransferRequest(
      "http://raxx.example:1/", scheme: "http", .http(content), connectTimeout: .seconds(HangGuard.seconds),
      totalTimeout: .seconds(HangGuard.seconds), maximumBodyByteCount: 100, maximumHeaderByteCount: 100)
    request.resolve = ["raxx.example:1:127.0.0.1"]
    let held = try await waiting { [request] in
      let loop = try #require(TransferLoop())
      return AllocationCounter.heldBytes {
        loop.start(request) { (_) in }
        while loop.count > 0 { loop.advance(until: .max) }
      }
    }
    #expect(held < Self.limit)
  }
}
