// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@testable import FaultProxy

@Suite struct FaultRuleTests {
  @Test(arguments: [
    ("POST /login/verify: cut-reply", "POST /login/verify: cut-reply 0"),
    ("* /a:b*  #3:  delay-request 2s", "* /a:b* #3: delay-request 2000ms"),
    ("GET *: truncate-reply 10", "GET *: truncate-reply 10"),
    (#""COMMIT: x" #1: duplicate-request"#, #""COMMIT: x" #1: duplicate-request"#),
    ("GET /a: reorder-reply", "GET /a: reorder-reply"),
    (#"POST /a: change-request /a~1b/0 {"c": "d e"}"#, #"POST /a: change-request /a~1b/0 {"c": "d e"}"#),
    ("POST /a: remove-reply /a", "POST /a: remove-reply /a"),
    ("PUT /a: status 503", "PUT /a: status 503"),
  ])
  func `a rule is read and written as text`(text: String, written: String) throws {
    let rule = try FaultRule(text)
    #expect(rule.description == written)
    #expect(try FaultRule(written).description == written)
  }

  @Test(arguments: [
    "", "cut-reply", "POST /a:cut-reply", "/a: cut-reply", "POST a: cut-reply", "POST /a #0: cut-reply",
    "POST /a #x: cut-reply", "POST /a: ", "POST /a: cut", "POST /a: cut-answer", "POST /a: burn-reply",
    "POST /a: cut-reply x", "POST /a: cut-reply -1", "POST /a: cut-reply 1 2", "POST /a: truncate-reply",
    "POST /a: delay-reply", "POST /a: delay-reply 5", "POST /a: delay-reply 2h", "POST /a: delay-reply -1s",
    "POST /a: delay-reply 3601s", "POST /a: duplicate-reply 2", "POST /a: reorder-reply 2", "POST /a: status",
    "POST /a: status 199", "POST /a: status 600", "POST /a: change-reply /a", "POST /a: change-reply a 1",
    "POST /a: change-reply /a {", "POST /a: remove-reply", "POST /a: remove-reply /a 1", "\"\": cut-reply",
    "\"a\": status 500", "\"a\": reorder-reply", "\"a\": remove-request /a",
  ])
  func `an invalid rule is refused`(text: String) {
    let error = #expect(throws: FaultProxyError.self) { try FaultRule(text) }
    #expect(error?.code == .invalidRule)
  }

  @Test func `a file of rules has texts and objects`() throws {
    let file = #"{"rules":["GET /a: status 500",{"match":"* /b*","occurrence":2,"fault":"cut-reply 7"}]}"#
    let rules = try FaultRule.rules(inFile: Array(file.utf8)[...])
    #expect(rules.map(\.description) == ["GET /a: status 500", "* /b* #2: cut-reply 7"])
  }

  @Test(arguments: [
    ("[]", FaultProxyError.Code.malformedRules), ("{", .malformedRules), ("{}", .malformedRules),
    (#"{"rules":[1]}"#, .malformedRules), (#"{"rules":[{"match":"GET /a"}]}"#, .malformedRules),
    (#"{"rules":[{"match":"GET /a","occurrence":"2","fault":"cut-reply"}]}"#, .malformedRules),
    (#"{"rules":["GET /a"]}"#, .invalidRule), (#"{"rules":[{"match":"x","fault":"cut-reply"}]}"#, .invalidRule),
  ])
  func `an invalid file of rules is refused`(file: String, code: FaultProxyError.Code) {
    let error = #expect(throws: FaultProxyError.self) { try FaultRule.rules(inFile: Array(file.utf8)[...]) }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    ("/a", #"{"a":9,"b":[1,{"c":null}]}"#), ("/b/0", #"{"a":1,"b":[9,{"c":null}]}"#),
    ("/b/1/c", #"{"a":1,"b":[1,{"c":9}]}"#), ("/d", #"{"a":1,"b":[1,{"c":null}],"d":9}"#),
    ("/b/2", nil), ("/b/x", nil), ("/a/x", nil), ("/d/e", nil),
  ])
  func `a pointer replaces a value`(pointer: String, changed: String?) throws {
    let document = try JSON.parse(Array(#"{"a":1, "b":[1, {"c":null}]}"#.utf8)[...])
    let text = try JSONPointer(pointer).replacing(in: document, with: Array("9".utf8))
    // Values that are not on the way keep their text.
    #expect(text.map { String(decoding: $0, as: UTF8.self).replacing(" ", with: "") } == changed)
  }

  @Test(arguments: [
    ("/a", #"{"b":[1,2]}"#), ("/b/0", #"{"a":1,"b":[2]}"#), ("/c", nil), ("/b/2", nil),
  ])
  func `a pointer removes a value`(pointer: String, changed: String?) throws {
    let document = try JSON.parse(Array(#"{"a":1,"b":[1,2]}"#.utf8)[...])
    let text = try JSONPointer(pointer).replacing(in: document, with: nil)
    #expect(text.map { String(decoding: $0, as: UTF8.self) } == changed)
  }

  @Test(arguments: [
    ("127.0.0.1:80", "127.0.0.1", 80, true), ("[::1]:443", "::1", 443, true), ("localhost:0", "localhost", 0, false),
    ("192.168.0.1:8080", "192.168.0.1", 8080, false), ("[::]:1", "::", 1, false),
  ])
  func `an address is read and written`(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
    let address = try SocketAddress(text)
    #expect(address == SocketAddress(host: host, port: port))
    #expect(address.isLoopback == isLoopback)
    #expect(address.description == text)
  }

  @Test(arguments: ["", "80", ":80", "host", "host:", "host:x", "host:65536", "::1:80"])
  func `an invalid address is refused`(text: String) {
    let error = #expect(throws: FaultProxyError.self) { try SocketAddress(text) }
    #expect(error?.code == .invalidAddress)
  }
}
