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
        taken += try scanner.take(Array(piece))
      }
      #expect(scanner.isComplete && taken == bytes.count - 3, "\(split)")
      #expect(String(decoding: scanner.content, as: UTF8.self) == "abc0123456789")
    }
  }

  @Test(arguments: [
    ("x\r\n", HTTPFlaw.malformedChunk), ("-1\r\n", .malformedChunk), ("+1\r\n", .malformedChunk),
    ("0x1\r\n", .malformedChunk), ("\r\n", .malformedChunk), ("1 2\r\n", .malformedChunk),
    ("3\r\nabcd\r\n", .malformedChunk), ("0000000000000001\r\n", .malformedChunk),
    ("ffffffffffffffff\r\n", .malformedChunk), ("1\na\r\n", .bareLineEnd), ("1\r\na\n", .bareLineEnd),
    ("1;a\rb\r\n", .bareLineEnd), ("0\r\nA: b\n\r\n", .bareLineEnd), ("1;\0\r\n", .bareLineEnd),
    (String(repeating: "0", count: 5000), .chunkTooLong),
    ("0\r\n" + String(repeating: "A: \(String(repeating: "b", count: 4000))\r\n", count: 17), .chunkTooLong),
  ])
  func `a malformed chunked body is refused`(text: String, flaw: HTTPFlaw) throws {
    var scanner = BodyScanner(.chunked, collecting: false)
    #expect(Self.flaw { () throws(MessageReader.Failure) in _ = try scanner.take(Array(text.utf8)) } == flaw)
  }

  /// The flaw that an expression reports.
  private static func flaw(_ body: () throws(MessageReader.Failure) -> Void) -> HTTPFlaw? {
    do throws(MessageReader.Failure) {
      try body()
      return nil
    } catch {
      guard case .malformed(let flaw) = error else { return nil }
      return flaw
    }
  }

  @Test func `a body of a known length leaves the rest`() throws {
    var scanner = BodyScanner(.length(2), collecting: true)
    let count = try scanner.take([1, 2, 3])
    #expect(count == 2 && scanner.isComplete && scanner.content == [1, 2])
    var none = BodyScanner(.none, collecting: true)
    let nothing = try none.take([1])
    #expect(none.isComplete && nothing == 0)
    var all = BodyScanner(.untilEnd, collecting: false)
    let everything = try all.take([1, 2])
    #expect(everything == 2)
    #expect(!all.isComplete && all.endsWithStream && all.content.isEmpty)
  }

  @Test func `a head that is changed keeps its other fields`() throws {
    // A value that is not UTF-8 stays as it is.
    let text =
      Array("\r\nGET /a?b HTTP/1.1\r\nHost:x \r\nAccept-Encoding: gzip\r\nX: ".utf8) + [0xff] + Array("\r\n\r\n".utf8)
    var head = try HTTPHead(text, as: .request)
    #expect(head.path == "/a" && head.values("accept-encoding") == ["gzip"] && !head.endsConnection)
    #expect(head.bytes == Array(text.dropFirst(2)))
    head.replaceFields(["accept-encoding"], adding: [("Connection", "x, Close")])
    let changed =
      Array("GET /a?b HTTP/1.1\r\nHost:x \r\nX: ".utf8) + [0xff] + Array("\r\nConnection: x, Close\r\n\r\n".utf8)
    #expect(head.bytes == changed)
    #expect(head.endsConnection)
  }

  @Test(arguments: [
    "hello", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 x", "GET / HTTP/2.0", "GET /\u{7f} HTTP/1.1", "G:T / HTTP/1.1",
    "GET ?a HTTP/1.1", " GET / HTTP/1.1", "GET /a\tb HTTP/1.1",
  ])
  func `a malformed start line is refused`(line: String) {
    let flaw = Self.flaw { () throws(MessageReader.Failure) in
      _ = try HTTPHead(Array("\(line)\r\n\r\n".utf8), as: .request)
    }
    #expect(flaw == .notHTTP)
  }

  @Test(arguments: ["HTTP/1.1 20", "HTTP/1.1 0200 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", "200 HTTP/1.1"])
  func `a malformed status line is refused`(line: String) {
    let flaw = Self.flaw { () throws(MessageReader.Failure) in
      _ = try HTTPHead(Array("\(line)\r\n\r\n".utf8), as: .reply)
    }
    #expect(flaw == .notHTTP)
  }

  @Test(arguments: [
    ("Content-Length: 1\r\nTransfer-Encoding: chunked", HTTPFlaw.lengthAndCoding),
    ("Content-Length: 1\r\ncontent-length: 1", .severalLengths), ("Content-Length: 1, 1", .malformedLength),
    ("Content-Length: +1", .malformedLength), ("Content-Length: -1", .malformedLength),
    ("Content-Length: ", .malformedLength), ("Content-Length: 0x1", .malformedLength),
    ("Content-Length: ١", .malformedLength), ("Content-Length: 9999999999999999999", .malformedLength),
    ("Transfer-Encoding: xchunked", .unsupportedCoding), ("Transfer-Encoding: gzip, chunked", .unsupportedCoding),
    ("Transfer-Encoding: identity", .unsupportedCoding),
    ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .unsupportedCoding),
    ("Content-Length : 1", .malformedField), (" Content-Length: 1", .malformedField),
    ("X: a\r\n Content-Length: 1", .malformedField), ("Content-Length", .malformedField), (": 1", .malformedField),
    ("Content-Length:\u{301} 1", .malformedLength), ("X: a\nContent-Length: 1", .bareLineEnd),
    ("X: a\rContent-Length: 1", .bareLineEnd), ("X: a\0", .bareLineEnd),
  ])
  func `a head with an ambiguous end of its body is refused`(fields: String, flaw: HTTPFlaw) {
    let found = Self.flaw { () throws(MessageReader.Failure) in
      _ = try BodyFraming(
        ofRequest: HTTPHead(Array("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n".utf8), as: .request))
    }
    #expect(found == flaw)
    let foundInReply = Self.flaw { () throws(MessageReader.Failure) in
      _ = try BodyFraming(
        ofReply: HTTPHead(Array("HTTP/1.1 204 A\r\n\(fields)\r\n\r\n".utf8), as: .reply), to: "GET")
    }
    #expect(foundInReply == flaw)
  }

  @Test func `white space around a coding is no part of it, and HTTP/1.0 has no chunks`() throws {
    let fields = "Transfer-Encoding:\t Chunked \t\r\n\r\n"
    let framing = try BodyFraming(ofRequest: HTTPHead(Array("POST / HTTP/1.1\r\n\(fields)".utf8), as: .request))
    guard case .chunked = framing else {
      Issue.record("\(framing)")
      return
    }
    let flaw = Self.flaw { () throws(MessageReader.Failure) in
      _ = try BodyFraming(ofRequest: HTTPHead(Array("POST / HTTP/1.0\r\n\(fields)".utf8), as: .request))
    }
    #expect(flaw == .unsupportedCoding)
  }
}
