// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing

/// Values that a client keeps, in profiles and messages.
struct KeptValueTests {
  private static func profile(_ members: String) throws -> ServiceProfile {
    try ServiceProfile(json: Array(#"{"name":"a",\#(members)}"#.utf8))
  }

  private static let begin = #""sign-in-options":{"route":"POST /a","response":{"f":"$ceremony.flow","o":"$options"}}"#

  @Test(arguments: [
    (#""endpoints":{"me":{"route":"GET /me","response":"$ceremony.flow"}}"#, "endpoints.me.response"),
    (
      #""endpoints":{\#(begin),"sign-in-verify":{"route":"POST /b","request":{"x":"$ceremony.other","c":"$credential"}}}"#,
      "endpoints.sign-in-verify"
    ),
    (#""endpoints":{\#(begin),"sign-in-verify":"POST /{ceremony.other}"}"#, "endpoints.sign-in-verify"),
    (#""endpoints":{"me":"GET /{ceremony.flow}"}"#, "endpoints.me"),
    (#""endpoints":{"me":{"route":"GET /me","query":{"x":"$value.csrf"}}}"#, "endpoints.me.query.x"),
    (#""endpoints":{"me":{"route":"POST /me","encoding":"xml"}}"#, "endpoints.me.encoding"),
    (
      #""endpoints":{"sign-in-verify":{"route":"POST /v","encoding":"form","request":"$credential"}}"#,
      "endpoints.sign-in-verify.request"
    ),
    (#""values":{"a b":{"environment":"X"}},"endpoints":{"me":"GET /me"}"#, "values.a b"),
    (#""values":{"k":{}},"endpoints":{"me":"GET /me"}"#, "values.k"),
    (#""values":{"k":{"cookie":"a","json":"b","from":"GET /"}},"endpoints":{"me":"GET /me"}"#, "values.k"),
    (#""values":{"k":{"json":"b"}},"endpoints":{"me":"GET /me"}"#, "values.k.from"),
    (#""values":{"k":{"environment":"K","from":"GET /"}},"endpoints":{"me":"GET /me"}"#, "values.k.from"),
    (#""values":{"k":{"page":"b","from":"POST /x"}},"endpoints":{"me":"GET /me"}"#, "values.k.from"),
    (#""headers":{"send":{"cookie":"a"}},"endpoints":{"me":"GET /me"}"#, "headers.send.cookie"),
    (#""headers":{"send":{"a":"$account.id"}},"endpoints":{"me":"GET /me"}"#, "headers.send.a"),
    (#""headers":{"send":{"a":"$value.k"}},"endpoints":{"me":"GET /me"}"#, "headers.send.a"),
    (#""headers":{"send":{"a":"$ceremony.k"}},"endpoints":{"me":"GET /me"}"#, "headers.send.a"),
    (#""endpoints":{"me":{"route":"GET /me","before":[]}}"#, "endpoints.me.before"),
    (
      #""endpoints":{"sign-in-options":{"route":"GET /{ceremony.a}","before":[{"route":"GET /b"}]}}"#,
      "endpoints.sign-in-options"
    ),
    (
      #""endpoints":{"sign-in-options":{"route":"GET /a","before":[{"route":"GET /{ceremony.a}"}]}}"#,
      "endpoints.sign-in-options.before[0]"
    ),
    (
      #""endpoints":{"sign-in-options":{"route":"GET /a","before":[{"route":"GET /{id}"}]}}"#,
      "endpoints.sign-in-options.before[0].route"
    ),
    (
      #""endpoints":{"sign-in-verify":{"route":"POST /v","request":{"$member":"id","of":"$account.username"}}}"#,
      "endpoints.sign-in-verify.request"
    ),
    (#""headers":{"send":{"origin":"https://a"}},"endpoints":{"me":"GET /me"}"#, "headers.send.origin"),
    (#""headers":{"send":{"passkey-client":"x"}},"endpoints":{"me":"GET /me"}"#, "headers.send.passkey-client"),
  ])
  func `a value in the wrong place is refused`(members: String, path: String) {
    let error = #expect(throws: ProfileError.self) { try Self.profile(members) }
    #expect(error?.path == path, "\(error?.description ?? "")")
  }

  @Test func `an error has the line and the column of the deepest member`() {
    let text = """
      {
        "name": "shop",
        "shapes": { "user": { "id": "$account.id" } },
        "endpoints": {
          "me": { "route": "GET /me",
                  "response": { "$any": [ { "$shape": "user" }, { "nick.name": "$nick" } ] } }
        }
      }
      """
    let error = #expect(throws: ProfileError.self) { try ServiceProfile(json: Array(text.utf8)) }
    #expect(error?.path == "endpoints.me.response.$any[1].nick.name")
    #expect(error?.position?.description == "line 6, column 61")
    #expect(
      error?.description.hasPrefix(
        "profile.variable-unknown (endpoints.me.response.$any[1].nick.name, line 6, column 61): $nick is not") == true)
    // A member that is missing: its object.
    let missing = #expect(throws: ProfileError.self) {
      try ServiceProfile(
        json: Array("{\"name\":\"a\",\"extends\":\"raxx\",\n \"limits\":{\"perAddress\":{\"requests\":5}}}".utf8))
    }
    #expect(missing?.path == "limits.perAddress.seconds" && missing?.position?.description == "line 2, column 12")
  }

  @Test func `a shape reads values of any type and writes them unchanged`() throws {
    let profile = try Self.profile(
      #""endpoints":{"sign-in-options":{"route":"POST /a","response":{"n?":"$ceremony.n","o":"$options","t":"$ceremony.t"}},"#
        + #""sign-in-verify":{"route":"POST /{ceremony.t}","query":{"q":"$ceremony.n","v":1},"#
        + #""request":{"n?":"$ceremony.n","t":"$ceremony.t","c":{"$json":"$credential"}}}}"#)
    let response = try #require(profile[.signInOptions]?.response)
    let request = try #require(profile[.signInVerify]?.request)
    #expect(response.requiredKeptNames == [KeptName(.ceremony, "t"): "t"])
    for (n, t, written) in [
      (#"{"a":[1,2.50]}"#, #""x\"y""#, #"{"n":{"a":[1,2.50]},"t":"x\"y","c":"{\"id\":1}"}"#),
      ("null", "12345678901234567890", #"{"t":12345678901234567890,"c":"{\"id\":1}"}"#),
    ] {
      var values = try response.read(try JSON.parse(#"{"n":\#(n),"t":\#(t),"o":{}}"#))
      values[.credential] = .encoded(Array(#"{"id":1}"#.utf8))
      #expect(String(decoding: request.write(values), as: UTF8.self) == written)
    }
    var values = ShapeValues()
    values.kept[KeptName(.ceremony, "n")] = .kept(try JSON.parse("[1]"))
    let query = profile[.signInVerify]?.query?.parameters(values) ?? []
    #expect(query.map { "\($0.name)=\($0.value)" } == ["q=[1]", "v=1"])
    // JSON in a string is read, too.
    let read = try request.read(try JSON.parse(#"{"t":1,"c":"{\"id\":\"a\"}"}"#))
    #expect(try read.object(.credential)?["id"]?.string == "a")
    let error = #expect(throws: ProfileError.self) { try request.read(try JSON.parse(#"{"t":1,"c":{}}"#)) }
    #expect(error?.path == "c")
  }

  @Test(arguments: [
    ("<meta name=csrf-token content=abc>", "abc"), ("<meta content='a b' NAME='csrf-token'/>", "a b"),
    (#"<input type="hidden" name="csrf-token" value="x&amp;y">"#, "x&y"), ("<meta name='csrf-token'>", nil),
    ("<p name=csrf-token content=abc>", nil), ("<meta name=\"csrf-token\" content=\"unfinished", "unfinished"),
    ("<meta <meta name=csrf-token content=2>", "2"), ("", nil), ("<", nil),
    ("<meta =x name=csrf-token content=1>", nil),
    (#"<script id=csrf-token>{"a":"&amp;<"}</script>"#, #"{"a":"&amp;<"}"#),
    ("<script id=csrf-token>unfinished", nil),
  ])
  func `a page's element is found by its name`(page: String, value: String?) {
    #expect(ComputedValue.element(named: "csrf-token", in: Array(page.utf8)) == value)
  }

  @Test func `a key of the environment is required, and not printed`() throws {
    var profile = try Self.profile(
      #""values":{"k":{"environment":"SHOP_KEY"}},"headers":{"send":{"apikey":"key $value.k","a":"$$1"}},"#
        + #""endpoints":{"me":"GET /me"}"#)
    let error = #expect(throws: ProfileError.self) { try profile.readEnvironment { _ in nil } }
    #expect(error?.path == "values.k.environment" && error?.detail.contains("SHOP_KEY") == true)
    try profile.readEnvironment { $0 == "SHOP_KEY" ? "secret-1" : nil }
    #expect(profile.values["k"]?.fixed == "secret-1")
    var text = ""
    dump(profile, to: &text)
    #expect(!text.contains("secret-1"))
    let kept: KeptValues = [KeptName(.value, "k"): .text("secret-1")]
    #expect(profile.headers.sent.map { $0.value(kept) } == ["$1", "key secret-1"])
    #expect(profile.headers.sent.map { $0.value([:]) } == ["$1", nil])
  }

  @Test func `the schema knows every source of a value`() throws {
    for source in [
      #"{"environment":"K"}"#, #"{"cookie":"c"}"#, #"{"cookie":"c","from":"GET /"}"#, #"{"header":"H","from":"GET /"}"#,
      #"{"json":"a.b","from":"GET /x?y=1"}"#, #"{"page":"p","from":"GET ~/x"}"#,
    ] {
      #expect(
        try Self.profile(#""root":"/r","values":{"k":\#(source)},"endpoints":{"me":"GET /me"}"#).values.count == 1)
    }
  }
}
