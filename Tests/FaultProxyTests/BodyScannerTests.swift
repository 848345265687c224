// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FaultProxy

@Suite struct BodyScannerTests {
  private static let chunked = "3;a=b\r\nabc\r\nA \r\n0123456789\r\n0\r\nX: y\r\n\r\nGET"

  @Test func `a body ends at the same place in any pieces`() throws {
    let bytes = Array(Self.chunked.utf8)
    for split in 0...bytes.count {
      var scanner = BodyScanner(.chunked, collecting: true)
      var taken = 0
      for piece in [bytes[..<split], bytes[split...]] where !piece.isEmpty {
        let count = scanner.take(Array(piece))
        taken += try #require(count)
      }
      #expect(scanner.isComplete && taken == bytes.count - 3, "\(split)")
      #expect(String(decoding: scanner.content, as: UTF8.self) == "abc0123456789")
    }
  }

  @Test(arguments: ["x\r\n", "-1\r\n", "\r\n", "3\r\nabcd\r\n", String(repeating: "0", count: 5000)])
  func `a malformed chunked body is refused`(text: String) {
    var scanner = BodyScanner(.chunked, collecting: false)
    let count = scanner.take(Array(text.utf8))
    #expect(count == nil)
  }

  @Test func `a body of a known length leaves the rest`() {
    var scanner = BodyScanner(.length(2), collecting: true)
    let count = scanner.take([1, 2, 3])
    #expect(count == 2 && scanner.isComplete && scanner.content == [1, 2])
    var none = BodyScanner(.none, collecting: true)
    let nothing = none.take([1])
    #expect(none.isComplete && nothing == 0)
    var all = BodyScanner(.untilEnd, collecting: false)
    let everything = all.take([1, 2])
    #expect(everything == 2)
    #expect(!all.isComplete && all.endsWithStream && all.content.isEmpty)
  }

  @Test func `a head that is changed keeps its other fields`() throws {
    var head = try #require(HTTPHead(Array("GET /a?b HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n".utf8)))
    #expect(head.path == "/a" && head["accept-encoding"] == "gzip" && !head.endsConnection)
    head.replaceFields(["accept-encoding"], adding: [("connection", "close")])
    #expect(String(decoding: head.bytes, as: UTF8.self) == "GET /a?b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    #expect(head.endsConnection)
    #expect(HTTPHead(Array("hello\r\n\r\n".utf8)) == nil)
  }
}
