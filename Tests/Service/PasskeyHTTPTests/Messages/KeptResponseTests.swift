// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyHTTP

/// The form in which a response is kept for a client that sends a confirmed request again.
struct KeptResponseTests {
  @Test func `a kept response has its status, fields and body, and the code for the log`() throws {
    var response = EndpointResponse(.created, contentType: "text/plain", body: [0, 255])
    response.headers.add("link", "</orders/1>")
    response.headers.add("link", "</orders/2>")
    for code in [nil, "order.price-changed"] {
      response.problemCode = code
      let again = try EndpointResponse(kept: response.kept)
      #expect(again.status == .created && again.body == [0, 255] && again.problemCode == code)
      #expect(again.headers.values("link") == ["</orders/1>", "</orders/2>"])
      #expect(again.headers["content-type"] == "text/plain")
    }
  }

  @Test func `a kept response that was cut is refused`() throws {
    let kept = EndpointResponse(.created, contentType: "text/plain", body: [1, 2, 3]).kept
    for count in 0..<kept.count {
      #expect(throws: (any Error).self) { try EndpointResponse(kept: Array(kept.prefix(count))) }
    }
  }
}
