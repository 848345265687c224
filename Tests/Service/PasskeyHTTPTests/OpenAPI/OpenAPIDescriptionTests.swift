// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

/// Checks that the comparison with the description detects wrong responses.
struct OpenAPIDescriptionTests {
  /// Returns a response with all members, and a refusal.
  private func answers() async throws -> (description: OpenAPIDescription, me: RawClient.Answer, none: RawClient.Answer)
  {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let me = try await world.receive("GET", "/api/auth/me", nil, [("Authorization", "Bearer \(ada.token ?? "")")])
    let none = try await world.receive("GET", "/api/auth/me")
    return (try OpenAPIDescription(world.endpoints.openAPIDocument), me, none)
  }

  @Test func `missing, wrong and undescribed members are detected at any depth`() async throws {
    let (description, me, _) = try await answers()
    #expect(try description.faults(in: me, to: "GET", "/api/auth/me") == [])
    let members = try Self.members(of: JSON.parse(me.body))
    #expect(members.count == 21)
    // Any string is a name.
    let names = ["rpId", "name", "displayName", "browser", "system"]
    for member in members {
      let text = String(decoding: member.value.encoded, as: UTF8.self)
      let whole = #""\#(member.name)":\#(text)"#
      let values = Self.values.filter { $0 != #""!""# || !names.contains(member.name) }
      var faults = values.filter { $0 != text }.map { #""\#(member.name)":\#($0)"# }
      faults.append(#"\#(whole),"other":\#(text)"#)
      for fault in faults {
        let wrong = me.with(whole, replacedBy: fault)
        #expect(wrong.body != me.body)
        #expect(try description.faults(in: wrong, to: "GET", "/api/auth/me") != [], "\(fault)")
      }
    }
    #expect(try description.faults(in: me, to: "GET", "/api/auth/sessions") != [])
  }

  @Test func `a member that never occurs is detected`() async throws {
    let (description, me, _) = try await answers()
    // A server leaves these out without signals, or if it does not know the browser.
    let optional = ["signal", "browser", "system"]
    for member in try Self.members(of: JSON.parse(me.body)) where !optional.contains(member.name) {
      let whole = #""\#(member.name)":\#(String(decoding: member.value.encoded, as: UTF8.self))"#
      let wrong = me.with(me.body.contains(whole + ",") ? whole + "," : "," + whole, replacedBy: "")
      let faults = try description.faults(in: wrong, to: "GET", "/api/auth/me")
      #expect(faults.map { $0.hasSuffix(".\(member.name): missing") } == [true], "\(wrong.body)")
    }
  }

  @Test func `missing, wrong and undescribed header fields are detected`() async throws {
    let (description, me, none) = try await answers()
    func faults(_ answer: RawClient.Answer) throws -> [String] {
      try description.faults(in: answer, to: "GET", "/api/auth/me")
    }
    #expect(try faults(none) == [])
    for (answer, name) in [(me, "session-expires-at"), (me, "x-request-id"), (none, "www-authenticate")] {
      var wrong = answer
      wrong.headers.removeAll { $0.name == name }
      #expect(try faults(wrong).contains { $0.lowercased() == "\(name): missing" })
    }
    for (name, value) in [
      ("set-cookie", "a=b"), ("location", "/"), ("retry-after", "1"), ("session-expires-in", "soon"),
      ("session-expires-at", "tomorrow"),
    ] {
      var wrong = me
      wrong.headers.append((name, value))
      #expect(try faults(wrong) != [], "\(name)")
    }
    var typed = me
    typed.headers.removeAll { $0.name == "content-type" }
    #expect(try faults(typed) != [])
    typed.headers.append(("content-type", "text/html"))
    #expect(try faults(typed) != [])
    var other = me
    other.status = 201
    #expect(try faults(other) == ["201: not described"])
  }

  @Test func `a problem's body agrees with its status`() async throws {
    let (description, _, none) = try await answers()
    for (text, fault) in [
      (#""status":401"#, #""status":403"#), (#""requestId":""#, #""requestId":"x"#), (#""code":"#, #""kode":"#),
    ] {
      for path in ["/api/auth/me", "/nowhere"] {
        let wrong = none.with(text, replacedBy: fault)
        #expect(wrong.body != none.body)
        #expect(try description.faults(in: wrong, to: "GET", path) != [], "\(fault)")
      }
    }
  }

  @Test func `a request that does not match the description is detected`() throws {
    let description = try OpenAPIDescription(EndpointWorld().endpoints.openAPIDocument)
    func faults(_ body: String) throws -> [String] {
      try description.faults(inRequest: body, to: "POST", "/api/auth/login/options")
    }
    #expect(try faults("{}") == [])
    #expect(try faults(#"{"email":"ada@example.org"}"#) == [])
    for wrong in ["[]", #"{"email":1}"#, #"{"email":"ada"}"#, #"{"username":"ada@example.org"}"#] {
      #expect(try faults(wrong) != [], "\(wrong)")
    }
  }

  @Test func `merged schemas describe the members of one object`() throws {
    let checker = SchemaChecker(
      schemas: try parse(#"{"One":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}"#))
    let schema = try parse(
      ##"{"allOf":[{"$ref":"#/components/schemas/One"},{"type":"object","properties":{"b":{"type":"integer"}}}]}"##)
    #expect(try checker.faults(in: parse(#"{"a":"x","b":1}"#), by: schema) == [])
    #expect(try checker.faults(in: parse(#"{"a":"x"}"#), by: schema) == [])
    for wrong in [#"{"b":1}"#, #"{"a":1}"#, #"{"a":"x","b":"y"}"#, #"{"a":"x","c":1}"#] {
      #expect(try checker.faults(in: parse(wrong), by: schema) != [], "\(wrong)")
    }
  }

  @Test(arguments: [
    #"{"type":"string","minLength":1}"#, #"{"type":"string","format":"iri"}"#, #"{"type":"string","enum":["b"]}"#,
    #"{"format":"email"}"#, #"{"type":"text"}"#, ##"{"$ref":"#/components/schemas/None"}"##, #"{"$ref":"None"}"#,
    #"{"anyOf":[]}"#, #"{"anyOf":[{"type":"integer"},{"type":"boolean"}]}"#,
    #"{"anyOf":[{"type":"string"}],"type":"string"}"#,
  ])
  func `a schema with an unsupported keyword is rejected`(schema: String) throws {
    let checker = SchemaChecker(schemas: try parse("{}"))
    #expect(try checker.faults(in: parse(#""a""#), by: parse(schema)) != [])
  }

  @Test(arguments: [
    (#"{}"#, #"{"type":"object"}"#), (#"[]"#, #"{"type":"array"}"#), (#"1.5"#, #"{"type":"integer"}"#),
    (#"false"#, #"{"type":"boolean","const":true}"#),
    (#"{"a":1}"#, #"{"type":"object","properties":{"b":{}},"additionalProperties":{"type":"string"}}"#),
    (#"{"a":1}"#, #"{"type":"object","additionalProperties":{"type":"string"}}"#),
  ])
  func `a schema that does not describe its values is rejected`(value: String, schema: String) throws {
    let checker = SchemaChecker(schemas: try parse("{}"))
    #expect(try checker.faults(in: parse(value), by: parse(schema)) != [])
  }

  private func parse(_ text: String) throws -> JSONValue { try JSON.parse(text) }

  /// Replacements, none of which is valid for any member of the response.
  private static let values = ["1", "null", "{}", "[1]", "true", #""!""#]

  /// Returns every member, at any depth.
  private static func members(of value: JSONValue) throws -> [(name: String, value: JSONValue)] {
    guard value.kind == .object else { return [] }
    return try value.members.flatMap { try [($0.name, $0.value)] + members(of: $0.value) }
  }
}

extension RawClient.Answer {
  fileprivate func with(_ text: String, replacedBy other: String) -> RawClient.Answer {
    var answer = self
    if let range = body.firstRange(of: text) { answer.body.replaceSubrange(range, with: other) }
    return answer
  }
}
