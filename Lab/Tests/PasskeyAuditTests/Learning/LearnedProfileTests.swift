// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyAudit
import PasskeyFormats
import PasskeyProfiles
import Testing

@Suite struct LearnedProfileTests {
  private static let creation = #"""
    {"rp":{"id":"localhost","name":"Shop"},"user":{"id":"AAAA","name":"ada","displayName":"Ada"},"challenge":"AAAAAAAA",\#
    "pubKeyCredParams":[{"type":"public-key","alg":-7}],\#
    "authenticatorSelection":{"residentKey":"preferred","userVerification":"required"}}
    """#
  private static let request =
    #"{"challenge":"BBBBBBBB","rpId":"localhost","allowCredentials":[],"userVerification":"required"}"#
  private static let registration =
    #"{"id":"a","rawId":"a","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}"#
  private static let assertion =
    #"{"id":"a","rawId":"a","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}"#

  private static func learn(
    _ text: String
  ) throws -> (profile: ServiceProfile, learned: LearnedProfile, json: JSONValue) {
    let learned = try LearnedProfile(Recording(Array(text.utf8)[...]), name: "shop")
    return (try ServiceProfile(json: learned.json), learned, try JSON.parse(learned.json))
  }

  private static func har(
    _ entries: [(request: String, fields: [String], body: String, reply: String, cookie: String?)]
  ) -> String {
    func quoted(_ text: String) -> String { String(decoding: JSON.write(.string(text)), as: UTF8.self) }
    let items = entries.map { (entry) in
      let parts = entry.request.split(separator: " ").map(String.init)
      let fields = entry.fields.map { "{\"name\":\"\($0)\",\"value\":\"x\"}" }.joined(separator: ",")
      let post =
        entry.body.isEmpty ? "" : ",\"postData\":{\"mimeType\":\"application/json\",\"text\":\(quoted(entry.body))}"
      let cookie = entry.cookie.map { "{\"name\":\"Set-Cookie\",\"value\":\"\($0)\"}" } ?? ""
      return """
        {"request":{"method":"\(parts[0])","url":"http://localhost:8080\(parts[1])","headers":[\(fields)]\(post)},\
        "response":{"status":200,"headers":[\(cookie)],"content":{"mimeType":"application/json","text":\(quoted(entry.reply))}}}
        """
    }
    return "{\"log\":{\"version\":\"1.2\",\"entries\":[\(items.joined(separator: ","))]}}"
  }

  private static let shop = har([
    ("GET /join", [], "", "<html>", nil),
    ("POST /join/begin", [], #"{"username":"ada","name":"Ada","tier":"free"}"#, "{\"publicKey\":\(creation)}", nil),
    ("POST /join/finish", [], "{\"credential\":\(registration)}", #"{"ok":true}"#, nil),
    ("POST /login/begin", [], #"{"username":"ada"}"#, request, nil),
    (
      "POST /login/finish", [], assertion.replacing(#"{"id""#, with: #"{"username":"ada","id""#), #"{"verified":true}"#,
      "shop=1; Path=/"
    ),
    ("GET /me", ["Cookie"], "", #"{"username":"ada"}"#, nil),
    ("POST /logout", ["Cookie"], "", "{}", "shop=; Max-Age=0"),
  ])

  @Test func `an HTTP archive becomes a profile`() throws {
    let (profile, learned, json) = try Self.learn(Self.shop)
    #expect(
      learned.endpoints.map { "\($0.name) \($0.route)" } == [
        "register-options POST /join/begin", "register-verify POST /join/finish", "sign-in-options POST /login/begin",
        "sign-in-verify POST /login/finish", "me GET /me", "sign-out POST /logout",
      ])
    #expect(profile.name == "shop")
    let endpoints = try json.require("endpoints")
    func member(_ name: String, _ part: String) throws -> String {
      String(decoding: JSON.write(.value(try endpoints.require(name).require(part))), as: UTF8.self)
    }
    #expect(
      try member("register-options", "request")
        == #"{"username":"$account.username","name":"$account.displayName","tier":"free"}"#)
    #expect(try member("register-options", "response") == #"{"publicKey":"$options"}"#)
    #expect(try member("register-verify", "request") == #"{"credential":"$credential"}"#)
    #expect(try member("sign-in-options", "response") == #""$options""#)
    #expect(try member("sign-in-verify", "request") == #"{"...":"$credential","username":"$account.username"}"#)
    #expect(try member("me", "response") == #"{"username?":"$account.username"}"#)
    #expect(try json.require("sessions").require("cookie").require("name").string == "shop")
    #expect(
      learned.notes == [
        "POST /join/begin: the member tier is a constant; replace it if its value varies",
        "no request deletes the account: accounts that an audit makes remain",
      ])
  }

  @Test func `tokens and addresses are recognized`() throws {
    let (profile, _, json) = try Self.learn(
      Self.har([
        (
          "POST /r/1", [], #"{"email":"a@example.org"}"#, Self.creation.replacing("\"ada\"", with: "\"a@example.org\""),
          nil
        ),
        ("POST /r/2", [], Self.registration, "{}", nil),
        ("GET /s/1?email=a%40example.org", [], "", Self.request, nil),
        ("POST /s/2", [], Self.assertion, #"{"data":{"access_token":"x","refresh_token":"y"}}"#, nil),
      ]))
    #expect(profile.sessions.deliveries == [.bearer])
    let endpoints = try json.require("endpoints")
    #expect(try endpoints.require("sign-in-options").require("query").require("email").string == "$account.email")
    let data = try endpoints.require("sign-in-verify").require("response").require("data?")
    #expect(try data.require("access_token?").string == "$session.token")
    #expect(try data.require("refresh_token?").string == "$session.refreshToken")
    #expect(try json.require("identifiers").require("email").string == "required")
  }

  @Test func `commands of curl with their output become a profile`() throws {
    let text = #"""
      # Sign up.
      $ curl -s http://localhost:8080/join/begin -H 'Content-Type: application/json' \
          -d '{"username":"ada"}'
      CREATION
      $ curl -s http://localhost:8080/join/finish --json 'REGISTRATION'
      {"ok":true}
      $ curl -X POST http://localhost:8080/login/begin -d "{\"username\":\"ada\"}"
      REQUEST
      $ curl -i http://localhost:8080/login/finish --data-raw $'ASSERTION'
      HTTP/1.1 200 OK
      Content-Type: application/json
      Set-Cookie: shop=abc; HttpOnly

      {"verified":true}
      $
      """#
    let filled = text.replacing("CREATION", with: Self.creation).replacing("REGISTRATION", with: Self.registration)
      .replacing("REQUEST", with: Self.request).replacing("ASSERTION", with: Self.assertion)
    let (profile, learned, _) = try Self.learn(filled)
    #expect(
      learned.endpoints.map(\.route) == [
        "POST /join/begin", "POST /join/finish", "POST /login/begin", "POST /login/finish",
      ])
    #expect(profile.sessions.deliveries == [.cookie])
  }

  @Test func `commands without output assume the messages of the standard`() throws {
    let text = """
      curl http://localhost/a -d '{"username":"ada"}'
      curl http://localhost/b -d '\(Self.registration)'
      curl http://localhost/c -d '{}'
      curl http://localhost/d -d '\(Self.assertion)'
      """
    let (_, learned, _) = try Self.learn(text)
    #expect(learned.endpoints.map(\.route) == ["POST /a", "POST /b", "POST /c", "POST /d"])
    #expect(learned.notes.contains { $0.hasPrefix("/a: the response is not recorded") })
  }

  @Test(arguments: ["-b 'shop=abc; theme=dark'", "-H 'Cookie: csrf=1; shop=abc'"])
  func `without responses, a later request shows the cookie of the session`(cookie: String) throws {
    let text = """
      curl http://localhost/a -d '{"username":"ada"}' ;
      curl http://localhost/b --data-raw '\(Self.assertion)' ;
      curl http://localhost/me \(cookie)
      """
    let (profile, learned, json) = try Self.learn(text)
    #expect(profile.sessions.deliveries == [.cookie])
    #expect(try json.require("sessions").require("cookie").require("name").string == "shop")
    #expect(learned.endpoints.map(\.name) == ["sign-in-options", "sign-in-verify", "me"])
  }

  @Test func `an OpenAPI document declares the cookie of the session`() throws {
    let text = #"""
      {"paths":{
        "/login/verify":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}}}},
        "/me":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{
          "properties":{"email":{"type":"string"},"age":{"type":"integer"}}}}}}}}}},
       "components":{"securitySchemes":{"a":{"type":"http","scheme":"bearer"},
        "b":{"type":"apiKey","in":"cookie","name":"sid"}}}}
      """#
    let (profile, _, json) = try Self.learn(text)
    #expect(profile.sessions.deliveries == [.cookie])
    #expect(try json.require("sessions").require("cookie").require("name").string == "sid")
    let me = try json.require("endpoints").require("me").require("response")
    #expect(String(decoding: JSON.write(.value(me)), as: UTF8.self) == #"{"email?":"$account.email"}"#)
  }

  @Test func `an OpenAPI document becomes a profile`() throws {
    let text = #"""
      {"openapi":"3.1.0","servers":[{"url":"https://api.example/v1/"}],"paths":{
        "/auth/register/options":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object",
          "properties":{"email":{"type":"string"}}}}}},
          "responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Creation"}}}}}}},
        "/auth/register/verify":{"post":{"requestBody":{"content":{"application/json":{"schema":{"allOf":[
          {"$ref":"#/components/schemas/Named"},{"type":"object","properties":{"credential":{"$ref":"#/components/schemas/Registration"}}}]}}}},
          "responses":{"204":{}}}},
        "/auth/login/options":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object"}}}}}}},
        "/auth/login/verify":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}},
          "responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{"token":{"type":"string"}}}}}}}}},
        "/auth/me":{"get":{"security":[{"bearer":[]}],"responses":{"200":{}}}}},
       "components":{"schemas":{
        "Named":{"type":"object","properties":{"email":{"type":"string"}}},
        "Creation":{"type":"object","properties":{"challenge":{"type":"string"},"pubKeyCredParams":{"type":"array"},
          "user":{"type":"object","properties":{"name":{"type":"string"}}}}},
        "Registration":{"type":"object","properties":{"id":{"type":"string"},"response":{"type":"object","properties":{"attestationObject":{"type":"string"},"clientDataJSON":{"type":"string"}}}}}}}}
      """#
    let (profile, learned, json) = try Self.learn(text)
    #expect(
      learned.endpoints.map { "\($0.name) \($0.route)" } == [
        "register-options POST /v1/auth/register/options", "register-verify POST /v1/auth/register/verify",
        "sign-in-options GET /v1/auth/login/options", "sign-in-verify POST /v1/auth/login/verify", "me GET /v1/auth/me",
      ])
    #expect(profile.sessions.deliveries == [.bearer])
    let verify = try json.require("endpoints").require("register-verify").require("request")
    #expect(
      String(decoding: JSON.write(.value(verify)), as: UTF8.self)
        == #"{"email":"$account.email","credential":"$credential"}"#)
  }

  @Test func `values of a response that have to be sent back are recognized`() throws {
    let (profile, learned, json) = try Self.learn(
      Self.har([
        (
          "POST /s/1", [], "{}",
          #"{"flow":"0123456789","a":{"state":"abcdefgh","same":"12345678"},"o":\#(Self.request)}"#, nil
        ),
        (
          "POST /s/abcdefgh/2?same=12345678&kind=passkey", [],
          #"{"flowId":"0123456789","challenge":"BBBBBBBB","credential":\#(Self.assertion)}"#, "{}", nil
        ),
      ]))
    let endpoints = try json.require("endpoints")
    func member(_ name: String, _ part: String) throws -> String {
      String(decoding: JSON.write(.value(try endpoints.require(name).require(part))), as: UTF8.self)
    }
    #expect(
      try member("sign-in-options", "response")
        == #"{"flow":"$ceremony.flow","a":{"state":"$ceremony.state","same":"$ceremony.same"},"#
        + #""o":{"...":"$options","challenge":"$ceremony.challenge"}}"#)
    #expect(try member("sign-in-verify", "route") == #""POST /s/{ceremony.state}/2""#)
    #expect(try member("sign-in-verify", "query") == #"{"same":"$ceremony.same","kind":"passkey"}"#)
    #expect(
      try member("sign-in-verify", "request")
        == #"{"flowId":"$ceremony.flow","challenge":"$ceremony.challenge","credential":"$credential"}"#)
    #expect(profile[.signInVerify]?.keptNamesOfRequest.count == 4)
    #expect(learned.notes.contains { $0.hasPrefix("no registration") })
  }

  private static let tokens = #"""
    $ curl -i http://localhost/login
    HTTP/1.1 200 OK
    Set-Cookie: visit=v1; Path=/
    PAGE
    $ curl -i http://localhost/s/1 -b 'visit=v1; XSRF-TOKEN=c1' -H 'X-CSRF-Token: TOKEN' -H 'apikey: k' -d '{}'
    HTTP/1.1 200 OK
    Set-Cookie: flow=f1; Path=/

    REQUEST
    $ curl -i http://localhost/s/2 -b 'visit=v1; flow=f1; XSRF-TOKEN=c1' -H 'X-CSRF-Token: TOKEN' -H 'apikey: k' -d 'ASSERTION'
    HTTP/1.1 200 OK
    Set-Cookie: flow=f2; Path=/

    {"token":"t"}
    $ curl -i http://localhost/me -b 'visit=v1; flow=f2' -H 'Authorization: Bearer t'
    HTTP/1.1 401 Unauthorized
    Content-Type: application/problem+json

    {"fault":{"error":"expired","message":"Sign in again.","at":7},"status":401}
    """#

  @Test(arguments: [
    ("<meta name=csrf content=t-1>", "t-1", #"{"page":"csrf","from":"GET /login"}"#),
    (#"{"data":{"csrf":"t-2"}}"#, "t-2", #"{"json":"data.csrf","from":"GET /login"}"#),
    ("{}", "c1", #"{"cookie":"XSRF-TOKEN"}"#), ("{}", "v1", #"{"cookie":"visit","from":"GET /login"}"#),
  ])
  func `tokens against CSRF, keys, errors and cookies of a ceremony are recognized`(
    page: String, token: String, value: String
  ) throws {
    let text = Self.tokens.replacing("PAGE", with: "\n\(page)").replacing("TOKEN'", with: "\(token)'")
      .replacing("REQUEST", with: Self.request).replacing("ASSERTION", with: Self.assertion)
    let (profile, learned, json) = try Self.learn(text)
    let values = try json.require("values")
    #expect(String(decoding: JSON.write(.value(try values.require("csrf"))), as: UTF8.self) == value)
    #expect(try values.require("key").require("environment").string == "API_KEY")
    #expect(profile.headers.sent.map(\.name) == ["apikey", "x-csrf-token"])
    #expect(profile.sessions.deliveries == [.bearer])
    #expect(learned.notes.contains("the cookie flow belongs to the ceremony: the session is in the token"))
    let errors = try json.require("errors")
    #expect(
      String(decoding: JSON.write(.value(errors)), as: UTF8.self)
        == #"{"contentType":"application/problem+json","shape":{"fault":{"error":"$error.code","message":"$error.title"},"#
        + #""status":"$error.status"}}"#)
    #expect(!String(decoding: learned.json, as: UTF8.self).contains("\"k\""))
  }

  @Test func `a token without a recorded source is reported`() throws {
    let (_, learned, _) = try Self.learn(
      "curl http://localhost/s/1 -d '{}'\ncurl http://localhost/s/2 -H 'x-csrf: abc' -d '\(Self.assertion)'")
    #expect(
      learned.notes.contains("/s/2: the field x-csrf is a token whose source is not recorded: add it to values"))
  }

  @Test(arguments: [
    ("", ReportError.Code.recordingInvalid), ("{}", .recordingInvalid), ("{\"log\":{}}", .recordingInvalid),
    ("{\"log\":{\"entries\":[{}]}}", .recordingInvalid), ("hello", .recordingInvalid), ("curl", .recordingInvalid),
    ("{\"log\":{\"entries\":[]}}", .recordingIncomplete), ("{\"paths\":{}}", .recordingIncomplete),
    ("curl http://localhost/", .recordingIncomplete), ("{\"paths\":[]}", .recordingInvalid),
  ])
  func `another text is rejected`(text: String, code: ReportError.Code) {
    let error = #expect(throws: ReportError.self) {
      try LearnedProfile(Recording(Array(text.utf8)[...]), name: "shop")
    }
    #expect(error?.code == code)
  }

  @Test func `a schema that contains itself ends`() throws {
    let text = #"""
      {"paths":{"/login/verify":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/a"}}}}}}},
       "a":{"properties":{"b":{"$ref":"#/a"},"c":{"$ref":"#/a"},"d":{"$ref":"#/a"}}}}
      """#
    let (_, learned, _) = try Self.learn(text)
    #expect(learned.endpoints.map(\.route) == ["POST /login/verify"])
  }
}
