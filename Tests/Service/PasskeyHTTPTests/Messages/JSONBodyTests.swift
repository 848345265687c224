// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import Testing

struct JSONBodyTests {
  private func body(_ text: String, type: [String] = ["application/json"]) throws -> JSONBody {
    var headers = EndpointHeaders()
    for type in type { headers.add("Content-Type", type) }
    let request = EndpointRequest(
      method: .post, target: try RequestTarget("/".utf8), headers: headers, body: Array(text.utf8),
      receivedAt: UnixTime(secondsSince1970: 0))
    return try JSONBody(request)
  }

  @Test func `Members are read by type and name`() throws {
    let body = try body(
      #"{"s":"x","n":-7,"b":true,"u":"AQI","a":["p","q"],"o":{"i":{"s":"deep"}},"z":null,"unknown":[1]}"#)
    #expect(try body.string("s") == "x")
    #expect(try body.integer("n") == -7)
    #expect(try body.bool("b"))
    #expect(try body.base64URL("u") == [1, 2])
    #expect(try body.strings("a") == ["p", "q"])
    #expect(try body.object("o").object("i").string("s") == "deep")
    #expect(try body.stringIfPresent("z") == nil)
    #expect(try body.stringIfPresent("s") == "x")
    #expect(try body.boolIfPresent("y") == nil)
    #expect(try body.objectIfPresent("y") == nil)
    #expect(try body.base64URLIfPresent("y") == nil)
  }

  @Test func `a missing or invalid member is reported with its path`() throws {
    let body = try body(#"{"s":1,"o":{"i":{"a":["p",2]}},"n":1.5,"u":"=","z":null}"#)
    func expect(_ code: EndpointError.Code, _ member: String, _ read: () throws -> Void) {
      let error = #expect(throws: EndpointError.self) { try read() }
      #expect(error?.code == code)
      #expect(error?.member == member)
    }
    expect(.bodyInvalidMember, "s") { _ = try body.string("s") }
    expect(.bodyInvalidMember, "s") { _ = try body.stringIfPresent("s") }
    expect(.bodyInvalidMember, "s") { _ = try body.bool("s") }
    expect(.bodyInvalidMember, "n") { _ = try body.integer("n") }
    expect(.bodyInvalidMember, "u") { _ = try body.base64URL("u") }
    expect(.bodyMissingMember, "z") { _ = try body.string("z") }
    expect(.bodyMissingMember, "y") { _ = try body.object("y") }
    expect(.bodyNotObject, "s") { _ = try body.object("s") }
    expect(.bodyMissingMember, "o.i.y") { _ = try body.object("o").object("i").string("y") }
    expect(.bodyInvalidMember, "o.i.a[1]") { _ = try body.object("o").object("i").strings("a") }
  }

  @Test func `the length and the number of strings are limited`() throws {
    let body = try body(#"{"s":"12345","a":["1","2","3"]}"#)
    #expect(try body.string("s", atMost: 5) == "12345")
    #expect(throws: EndpointError(.bodyInvalidMember, member: "s")) { try body.string("s", atMost: 4) }
    #expect(try body.strings("a", atMost: 3, ofLength: 1).count == 3)
    #expect(throws: EndpointError(.bodyInvalidMember, member: "a")) { try body.strings("a", atMost: 2) }
    #expect(throws: EndpointError(.bodyInvalidMember, member: "a")) { try body.strings("a", ofLength: 0) }
  }

  @Test(arguments: [
    "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=\"UTF-8\"",
  ])
  func `JSON is recognized by its content type`(type: String) throws {
    #expect(try body("{}", type: [type]).value.kind == .object)
  }

  @Test(arguments: [
    [], ["text/plain"], ["application/json; charset=latin1"], ["application/jsonx"],
    ["application/json", "application/json"],
    ["application/json; x=y"], [""], ["application/x-www-form-urlencoded"], ["multipart/form-data"], ["text/json"],
  ])
  func `another content type is refused before the body is read`(types: [String]) {
    #expect(throws: EndpointError(.mediaTypeUnsupported)) { try body("{", type: types) }
  }

  @Test func `an empty body is an empty object, and a missing content type is refused`() throws {
    let body = try body("", type: [])
    #expect(try body.stringIfPresent("s") == nil)
    #expect(throws: EndpointError(.bodyMissingMember, member: "s")) { try body.string("s") }
    #expect(throws: EndpointError(.mediaTypeUnsupported)) { try self.body("", type: ["text/plain"]) }
    #expect(throws: EndpointError(.mediaTypeUnsupported)) { try self.body(" ", type: []) }
  }

  @Test(arguments: [
    ("", EndpointError.Code.bodyNotJSON), ("{", .bodyNotJSON), ("{}x", .bodyNotJSON), ("[]", .bodyNotObject),
    ("null", .bodyNotObject), (#"{"a":1,"a":2}"#, .bodyNotJSON), ("\u{feff}{}", .bodyNotJSON),
  ])
  func `a body that is not an object is refused`(text: String, code: EndpointError.Code) {
    let error = #expect(throws: EndpointError.self) { try body(text) }
    #expect(error?.code == code)
  }
}
