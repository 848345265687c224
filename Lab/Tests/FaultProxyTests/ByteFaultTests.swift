// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import FaultProxy

/// Faults of bytes whose protocol the proxy does not know.
@Suite struct ByteFaultTests {
  @Test(arguments: [("cut-request", []), ("cut-reply", ["POST /a COMMIT"]), ("truncate-reply 4", ["POST /a COMMIT"])])
  func `the connection is cut at a word, once`(fault: String, requests: [String]) async throws {
    try await waiting {
      let proxied = try ProxiedServer(["\"COMMIT\" #1: \(fault)"], .bytes)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      try client.post("/a", "COMMIT")
      #expect(client.rest() == (fault.hasPrefix("truncate") ? "HTTP" : ""))
      #expect(proxied.server.requests == requests)
      let shown = try FaultRule("* *: \(fault)").fault
      #expect(proxied.events(1) == ["1 \"COMMIT\": no reply; \(shown)"])
      let other = try OddClient(proxied.proxy)
      try other.post("/b", "COMMIT")
      #expect(try other.reply() == #"200 {"echo":"POST /b COMMIT"}"#)
      #expect(proxied.proxy.faultCount == 1)
    }
  }

  @Test func `bytes are delayed and repeated`() async throws {
    try await waiting {
      let proxied = try ProxiedServer(["\"slow\": delay-request 100ms", "\"twice\": duplicate-reply"], .bytes)
      defer { proxied.close() }
      let client = try OddClient(proxied.proxy)
      let start = ContinuousClock.now
      try client.get("/slow")
      #expect(try client.reply() == #"200 {"echo":"GET /slow"}"#)
      #expect(start.duration(to: .now) >= .milliseconds(100))
      try client.get("/twice")
      #expect(try client.reply() == #"200 {"echo":"GET /twice"}"#)
      #expect(try client.reply() == #"200 {"echo":"GET /twice"}"#)
    }
  }
}
