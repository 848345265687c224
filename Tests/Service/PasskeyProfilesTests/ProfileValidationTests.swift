// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing

/// The faults of a profile document: each is named by its path.
struct ProfileValidationTests {
  @Test(arguments: [
    ("[]", ProfileError.Code.notJSON, ""), ("{", .notJSON, ""), ("{}", .memberInvalid, "name"),
    (#"{"name":"a b","endpoints":{"me":"GET /me"}}"#, .memberInvalid, "name"),
    (#"{"name":"a"}"#, .memberMissing, "endpoints"),
    (#"{"name":"a","extends":"other"}"#, .parentUnknown, "extends"),
    (#"{"name":"a","colour":1,"endpoints":{"me":"GET /me"}}"#, .memberUnknown, "colour"),
    (#"{"name":"a","endpoints":{"mee":"GET /me"}}"#, .endpointUnknown, "endpoints.mee"),
    (#"{"name":"a","endpoints":{"me":"GET me"}}"#, .memberInvalid, "endpoints.me"),
    (#"{"name":"a","endpoints":{"me":"FETCH /me"}}"#, .memberInvalid, "endpoints.me"),
    (#"{"name":"a","endpoints":{"me":"GET /me/../you"}}"#, .memberInvalid, "endpoints.me"),
    (#"{"name":"a","endpoints":{"me":"GET /me/{id}"}}"#, .memberInvalid, "endpoints.me"),
    (#"{"name":"a","endpoints":{"revoke-session":"DELETE /s"}}"#, .memberInvalid, "endpoints.revoke-session"),
    (#"{"name":"a","endpoints":{"me":{"route":"GET /me","answer":1}}}"#, .memberUnknown, "endpoints.me.answer"),
    (
      #"{"name":"a","endpoints":{"me":"GET /me","sessions":"GET /me"}}"#, .memberInvalid, "endpoints.sessions"
    ),
    (
      #"{"name":"a","endpoints":{"me":{"route":"GET /me","response":{"user":{"x":"$account.x"}}}}}"#,
      .variableUnknown, "endpoints.me.response.user.x"
    ),
    (
      #"{"name":"a","endpoints":{"me":{"route":"GET /me","response":"$options"}}}"#, .variableUnknown,
      "endpoints.me.response"
    ),
    (
      #"{"name":"a","endpoints":{"me":{"route":"GET /me","response":{"$shape":"nothing"}}}}"#, .shapeUnknown,
      "endpoints.me.response"
    ),
    (
      #"{"name":"a","shapes":{"b":{"c":{"$shape":"b"}}},"endpoints":{"me":{"route":"GET /me","response":{"$shape":"b"}}}}"#,
      .memberInvalid, "shapes.b.c"
    ),
    (
      #"{"name":"a","endpoints":{"me":{"route":"GET /me","response":["$account.id"]}}}"#, .memberInvalid,
      "endpoints.me.response"
    ),
    (
      #"{"name":"a","endpoints":{"me":{"route":"GET /me","response":{"$each":"$account.id","as":1}}}}"#,
      .memberInvalid, "endpoints.me.response.$each"
    ),
    (
      #"{"name":"a","endpoints":{"credentials":{"route":"GET /c","response":{"list":"$credentials"}}}}"#,
      .memberInvalid, "endpoints.credentials.response.list"
    ),
    (
      #"{"name":"a","endpoints":{"credential":{"route":"GET /c/{id}","response":{"used":"$credential.lastUsedAt"}}}}"#,
      .memberInvalid, "endpoints.credential.response.used"
    ),
    (
      #"{"name":"a","endpoints":{"sign-in-verify":{"route":"POST /s","request":{"a":"$account.email"}}}}"#,
      .variableMissing, "endpoints.sign-in-verify.request"
    ),
    (
      #"{"name":"a","endpoints":{"sign-in-options":{"route":"POST /s","response":{}}}}"#, .variableMissing,
      "endpoints.sign-in-options.response"
    ),
    (
      #"{"name":"a","endpoints":{"health":{"route":"GET /h","response":{}}}}"#, .memberInvalid, "endpoints.health"
    ),
    (
      #"{"name":"a","endpoints":{"users":{"route":"GET /u","query":"$page.after"}}}"#, .memberInvalid,
      "endpoints.users.query"
    ),
    (#"{"name":"a","extends":"raxx","sessions":{"deliveries":["post"]}}"#, .memberInvalid, "sessions.deliveries"),
    (
      #"{"name":"a","extends":"raxx","sessions":{"deliveries":["bearer","bearer"]}}"#, .memberInvalid,
      "sessions.deliveries"
    ),
    (#"{"name":"a","extends":"raxx","sessions":{"cookie":{"name":"a b"}}}"#, .memberInvalid, "sessions.cookie.name"),
    (#"{"name":"a","extends":"raxx","sessions":{"lifetimeSeconds":0}}"#, .memberInvalid, "sessions.lifetimeSeconds"),
    (
      #"{"name":"a","extends":"raxx","identifiers":{"email":"optional"}}"#, .memberInvalid, "identifiers.email"
    ),
    (#"{"name":"a","extends":"raxx","headers":{"stepUp":"cookie"}}"#, .memberInvalid, "headers.stepUp"),
    (
      #"{"name":"a","extends":"raxx","errors":{"statuses":{"passkey.last":200}}}"#, .memberInvalid,
      "errors.statuses.passkey.last"
    ),
    (
      #"{"name":"a","extends":"raxx","limits":{"perAddress":{"requests":5}}}"#, .memberMissing,
      "limits.perAddress.seconds"
    ),
  ])
  func `A fault is reported with its path`(json: String, code: ProfileError.Code, path: String) {
    let error = #expect(throws: ProfileError.self) { try ServiceProfile(json: Array(json.utf8)) }
    #expect(error?.code == code)
    #expect(error?.path == path)
  }

  @Test func `A message says where JSON is malformed`() {
    let json = "{\n  \"name\": \"ä\" oops\n}"
    let error = #expect(throws: ProfileError.self) { try ServiceProfile(json: Array(json.utf8)) }
    #expect(error?.description == "profile.not-json: line 2, column 15: json.unexpected-character at offset 17")
  }

  @Test func `A message lists the endpoints, and the variables of a place`() {
    func detail(_ json: String) -> String {
      let error = #expect(throws: ProfileError.self) { try ServiceProfile(json: Array(json.utf8)) }
      return error?.detail ?? ""
    }
    #expect(detail(#"{"name":"a","endpoints":{"mee":"GET /me"}}"#).contains("; endpoints are "))
    #expect(detail(#"{"name":"a","endpoints":{"mee":"GET /me"}}"#).contains(", sign-in-verify, "))
    let token = #"{"name":"a","endpoints":{"sign-in-verify":{"route":"POST /v","response":{"t":"$token"}}}}"#
    #expect(detail(token).hasPrefix("$token is not a variable; available: $"))
    #expect(detail(token).contains(", $session.token"))
  }

  @Test func `A profile without extends has only its own endpoints, with Raxx's messages`() throws {
    let profile = try parse(#"{"name":"shop","endpoints":{"sign-in-options":"POST /begin","me":"GET /customer"}}"#)
    #expect(Set(profile.endpoints.keys) == [.signInOptions, .me])
    #expect(profile[.signInOptions]?.path == "/begin")
    #expect(profile[.signInOptions]?.response == ServiceProfile.raxx[.signInOptions]?.response)
    #expect(profile.sessions == ServiceProfile.raxx.sessions)
  }

  @Test func `A cookie has the attributes of the profile, and a prefix excludes some`() throws {
    func cookie(_ members: String) throws -> ServiceProfile.Sessions.Cookie {
      try parse(#"{"name":"shop","extends":"yapt","sessions":{"cookie":{\#(members)}}}"#).sessions.cookie
    }
    let shared = try cookie(#""sameSite":"strict","domain":"shop.example","path":"/api""#)
    #expect(shared.sameSite == .strict && shared.domain == "shop.example" && shared.path == "/api")
    for refused in [
      #""prefix":"host","domain":"shop.example""#, #""prefix":"host","path":"/api""#, #""domain":".shop.example""#,
      #""domain":"shop.example; Secure""#, #""path":"api""#, #""path":"/;Domain=x""#, #""sameSite":"none""#,
    ] {
      #expect(throws: ProfileError.self, "\(refused)") { try cookie(refused) }
    }
  }

  @Test func `A profile inherits members, removes endpoints with null, and overrides named shapes`() throws {
    let profile = try parse(
      #"{"name":"mine","extends":"yapt","root":"/v2","endpoints":{"me":null,"sign-out":"DELETE ~/session"},"#
        + #""shapes":{"user":{"name":"$account.username"}},"sessions":{"cookie":{"maximumAgeSeconds":60}}}"#)
    #expect(profile[.me] == nil)
    #expect(profile[.signOut]?.path == "/v2/session")
    #expect(profile[.signOut]?.response == ServiceProfile.yapt[.signOut]?.response)
    #expect(profile.sessions.cookie.name == "yapt.sid")
    #expect(profile.sessions.cookie.maximumAgeSeconds == 60)
    var values = ShapeValues()
    values.set(.accountUsername, "ada")
    let response = try #require(profile[.signInVerify]?.response)
    #expect(String(decoding: response.write(values), as: UTF8.self) == #"{"verified":true,"user":{"name":"ada"}}"#)
  }

  @Test func `A document ends inheritance with null`() throws {
    let profile = try parse(#"{"name":"short","extends":"aiday","sessions":{"refresh":null,"idleSeconds":null}}"#)
    #expect(profile.sessions.refresh == nil)
    #expect(profile.sessions.idleSeconds == nil)
    #expect(ServiceProfile.aiday.sessions.refresh != nil)
  }

  private func parse(_ json: String) throws -> ServiceProfile { try ServiceProfile(json: Array(json.utf8)) }

  @Test(arguments: [("POST /login/", true), ("POST /", false), ("POST /login//", false), ("POST //", false)])
  func `a path may end with a slash`(route: String, isValid: Bool) {
    let text = #"{"name":"a","endpoints":{"sign-out":{"route":"\#(route)"}}}"#
    #expect(
      (try? ServiceProfile(json: Array(text.utf8)))?.endpoints[.signOut]?.path.hasSuffix("/") ?? false == isValid)
  }
}
