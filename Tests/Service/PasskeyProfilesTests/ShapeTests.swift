// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing

/// Tests of writing and reading messages with shapes.
struct ShapeTests {
  private func contract(_ endpoint: EndpointName, _ members: String) throws -> EndpointContract {
    let json = #"{"name":"test","endpoints":{"\#(endpoint.rawValue)":{"route":"POST /x",\#(members)}}}"#
    return try #require(try ServiceProfile(json: Array(json.utf8))[endpoint])
  }

  private func read(_ shape: Shape?, _ json: String) throws -> ShapeValues {
    try #require(shape).read(try JSON.parse(json))
  }

  private func expect(_ code: ProfileError.Code, at path: String, _ body: () throws -> Void) {
    let error = #expect(throws: ProfileError.self) { try body() }
    #expect(error?.code == code)
    #expect(error?.path == path)
  }

  @Test func `Constants, escapes and variables are written in their order`() throws {
    let shape = try contract(
      .signInVerify,
      #""response":{"ok":true,"n":1.50,"none":null,"price":"$$5","id":"$account.id","roles":"$account.roles"}"#
    ).response
    var values = ShapeValues()
    values.set(.accountID, "x\"y")
    values[.accountRoles] = .texts(["a", "b"])
    #expect(
      String(decoding: try #require(shape).write(values), as: UTF8.self)
        == #"{"ok":true,"n":1.50,"none":null,"price":"$5","id":"x\"y","roles":["a","b"]}"#)
  }

  @Test func `A shape writes its own definition, with named shapes and the first alternative in their places`() throws {
    func written(_ body: String, _ shapes: String = "{}", _ endpoint: EndpointName = .me) throws -> String {
      let json =
        #"{"name":"t","shapes":\#(shapes),"endpoints":{"\#(endpoint.rawValue)":{"route":"GET /x","response":\#(body)}}}"#
      let shape = try #require(try ServiceProfile(json: Array(json.utf8))[endpoint]?.response)
      return String(decoding: JSON.writeObject { shape.writeDefinition("shape", to: &$0) }, as: UTF8.self)
    }
    for body in [
      #"{"a?":"$account.email","b":{"c":1.50,"d":null,"e":true},"f":"$$5","g":"text"}"#,
      #"{"state":{"$map":"$account.state","to":{"active":"on","*":"$off"}}}"#,
    ] { #expect(try written(body) == #"{"shape":\#(body)}"#) }
    let list = #"{"list":{"$each":"$sessions","as":{"id":"$session.id"}}}"#
    #expect(try written(list, "{}", .sessions) == #"{"shape":\#(list)}"#)
    #expect(
      try written(
        #"{"...":{"$shape":"who"},"x":{"$any":["$account.id","$account.email"]}}"#, #"{"who":{"id":"$account.id"}}"#)
        == #"{"shape":{"...":{"id":"$account.id"},"x":"$account.id"}}"#)
  }

  @Test func `An optional member without a value is left out, a required one gets the neutral value`() throws {
    let shape = try #require(
      try contract(
        .signInVerify,
        #""response":{"a?":"$account.id","b":"$account.email","c":"$session.expiresIn","d":"$account.isAdministrator","#
          + #""e":"$account.roles","f?":{"g":"$account.id","h":1}}"#
      ).response)
    #expect(
      String(decoding: shape.write(ShapeValues()), as: UTF8.self) == #"{"b":"","c":0,"d":false,"e":[]}"#)
    var values = ShapeValues()
    values.set(.accountID, "1")
    #expect(
      String(decoding: shape.write(values), as: UTF8.self)
        == #"{"a":"1","b":"","c":0,"d":false,"e":[],"f":{"g":"1","h":1}}"#)
  }

  @Test func `A list has an element for each entry, and reads them again`() throws {
    let shape = try #require(ServiceProfile.aiday[.users]?.response)
    var (first, second, values) = (ShapeValues(), ShapeValues(), ShapeValues())
    first.set(.accountID, "1")
    first.set(.accountState, "rejected")
    second.set(.accountID, "2")
    second.set(.accountIsAdministrator, true)
    second.set(.accountState, "active")
    values[.users] = .list([first, second])
    let json = shape.write(values)
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"[{"id":"1","username":"","email":"","role":"viewer","status":"disabled"},"#
        + #"{"id":"2","username":"","email":"","role":"admin","status":"active"}]"#)
    let read = try shape.read(try JSON.parse(json)).list(.users)
    #expect(read?.map { $0.text(.accountID) } == ["1", "2"])
    #expect(read?.last?.boolean(.accountIsAdministrator) == true)
  }

  @Test func `A missing or invalid member is named by its path`() throws {
    let body = ServiceProfile.raxx[.stepUpOptions]?.request
    expect(.messageNotObject, at: "") { _ = try read(body, "[]") }
    expect(.messageMemberMissing, at: "path") { _ = try read(body, #"{"method":"POST"}"#) }
    expect(.messageMemberMissing, at: "path") { _ = try read(body, #"{"method":"POST","path":null}"#) }
    expect(.messageMemberInvalid, at: "method") { _ = try read(body, #"{"method":1,"path":"/"}"#) }
    expect(.messageMemberInvalid, at: "method") {
      _ = try read(body, #"{"method":"\#(String(repeating: "A", count: 33))","path":"/"}"#)
    }
    expect(.messageMemberInvalid, at: "bodySha256") {
      _ = try read(body, #"{"method":"POST","path":"/","bodySha256":"+/"}"#)
    }
    expect(.messageMemberInvalid, at: "roles[1]") {
      _ = try read(ServiceProfile.raxx[.setRoles]?.request, #"{"roles":["a",1]}"#)
    }
    expect(.messageMemberInvalid, at: "status") {
      _ = try read(ServiceProfile.aiday[.updateUser]?.request, #"{"status":"asleep"}"#)
    }
    expect(.messageMemberInvalid, at: "botEventsEnabled") {
      _ = try read(ServiceProfile.aiday[.setPreferences]?.request, #"{"botEventsEnabled":1,"reportsEnabled":true}"#)
    }
    expect(.messageMemberInvalid, at: "verified") {
      _ = try read(ServiceProfile.yapt[.signInVerify]?.response, #"{"verified":false,"user":{}}"#)
    }
  }

  @Test func `A credential may be the whole body, or a member`() throws {
    let request = ServiceProfile.raxx[.registerVerify]?.request
    let bare = try read(request, #"{"id":"AA","name":"laptop"}"#)
    #expect(try bare.object(.credential)?.require("id").string == "AA")
    #expect(bare.text(.credentialName) == "laptop")
    let wrapped = try read(request, #"{"credential":{"id":"AA"},"name":"phone"}"#)
    #expect(try wrapped.object(.credential)?.require("id").string == "AA")
    #expect(wrapped.text(.credentialName) == "phone")
    let yapt = ServiceProfile.yapt[.signInVerify]?.request
    #expect(try read(yapt, #"{"id":"AA","response":{}}"#).object(.credential)?.require("id").string == "AA")
    #expect(try read(yapt, #"{"response":{"id":"BB"}}"#).object(.credential)?.require("id").string == "BB")
    expect(.messageNotObject, at: "credential") { _ = try read(request, #"{"credential":"x"}"#) }
  }

  @Test func `Query parameters are read and written`() throws {
    let query = try #require(ServiceProfile.raxx[.users]?.query)
    let values = try query.readParameters { ["limit": "10", "state": "active"][$0] }
    #expect(values.integer(.pageLimit) == 10)
    #expect(values.text(.accountState) == "active")
    #expect(query.parameters(values).map { "\($0.name)=\($0.value)" } == ["state=active", "limit=10"])
    expect(.messageMemberInvalid, at: "limit") { _ = try query.readParameters { $0 == "limit" ? "x" : nil } }
    let revocation = try #require(ServiceProfile.raxx[.revokeSessions]?.query)
    for (text, value) in [("true", true), ("false", false)] {
      #expect(try revocation.readParameters { $0 == "others" ? text : nil }.boolean(.sessionOthers) == value)
    }
    for text in ["maybe", "TRUE", "1", ""] {
      expect(.messageMemberInvalid, at: "others") { _ = try revocation.readParameters { $0 == "others" ? text : nil } }
    }
    expect(.messageMemberMissing, at: "email") {
      _ = try ServiceProfile.aiday[.accountStatus]?.query?.readParameters { $0 == "username" ? "ada" : nil }
    }
  }

  @Test func `Preferences are read and written by name`() throws {
    let contract = try #require(ServiceProfile.aiday[.setPreferences])
    let values = try read(contract.request, #"{"botEventsEnabled":true,"reportsEnabled":false}"#)
    #expect(values.flags(.preferences) == ["bot.*": true, "report.*": false])
    #expect(
      String(decoding: try #require(contract.response).write(values), as: UTF8.self)
        == #"{"botEventsEnabled":true,"reportsEnabled":false}"#)
    #expect(
      String(decoding: try #require(ServiceProfile.raxx[.preferences]?.response).write(values), as: UTF8.self)
        == #"{"bot.*":true,"report.*":false}"#)
  }

  @Test func `Account identifiers are base64url or UUIDs`() {
    let handle = (0..<16).map { UInt8($0) }
    let text = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    #expect(AccountIDForm.uuid.text(handle[...]) == text)
    #expect(AccountIDForm.uuid.handle(text) == handle)
    #expect(AccountIDForm.uuid.handle(text.uppercased()) == handle)
    #expect(AccountIDForm.uuid.handle(text + "0") == nil)
    #expect(AccountIDForm.uuid.handle("000102030-405-0607-0809-0a0b0c0d0e0f") == nil)
    #expect(AccountIDForm.uuid.handle("AAAA") == nil)
    #expect(AccountIDForm.base64URL.text([0, 0, 0]) == "AAAA")
    #expect(AccountIDForm.base64URL.handle("AAAA") == [0, 0, 0])
  }
}
