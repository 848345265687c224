// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing

@testable import WebAuthnClient

/// Values that a profile echoes and computes.
struct KeptValueTests {
  private static let options = #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","rpId":"raxx.app"}"#

  /// Returns a user whose device has a passkey for the RP ID.
  private static func owner() async throws -> PasskeyOwner {
    let owner = try PasskeyOwner()
    let world = try ServerWorld(.raxx)
    _ = try await owner.handshake(.raxx, at: world.address).register(user: "ada@example.org")
    return owner
  }

  private static func profile(_ text: String, environment: [String: String] = [:]) throws -> ServiceProfile {
    var profile = try ServiceProfile(json: Array(text.utf8))
    try profile.readEnvironment { environment[$0] }
    return profile
  }

  /// A service with everything at once: a flow in the path, the query and the body, a form, a token in a page, an API key.
  private static let shop = #"""
    {
      "name": "shop",
      "identifiers": { "username": "required", "email": "none" },
      "values": {
        "key": { "environment": "SHOP_KEY" },
        "csrf": { "page": "csrf-token", "from": "GET /login?next=/" }
      },
      "headers": {
        "send": { "apikey": "$value.key", "x-csrf": "$value.csrf", "x-client": "web", "x-flow": "flow $ceremony.flow" }
      },
      "endpoints": {
        "sign-in-options": {
          "route": "POST /auth/start", "encoding": "form",
          "request": { "user": "$account.username", "csrfmiddlewaretoken": "$value.csrf", "kind": "passkey" },
          "response": { "flow": { "id": "$ceremony.flow", "step": "$ceremony.step" }, "data": { "$json": "$options" } }
        },
        "sign-in-verify": {
          "route": "POST /auth/{ceremony.flow}/finish",
          "query": { "step": "$ceremony.step" },
          "request": { "step": "$ceremony.step", "proof": { "$json": "$credential" } },
          "response": { "token": "$session.token" }
        },
        "me": { "route": "GET /me" },
        "sign-out": "POST /logout"
      }
    }
    """#

  private static func body(_ request: String) -> String {
    request.firstRange(of: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
  }

  @Test func `values of a response go back in the path, the query, the body and a field`() async throws {
    let page = #"<html><META content='other' name=x><meta name="csrf-token" content="t&#43;1&amp;2"></html>"#
    let server = try FaultServer { (request, _) in
      if request.hasPrefix("GET /login?next=/ ") { return .answer("200 OK", page, "Set-Cookie: visit=7; Path=/\r\n") }
      if request.hasPrefix("POST /auth/start ") {
        let text = String(decoding: JSON.write(.string(Self.options)), as: UTF8.self)
        return .answer("200 OK", #"{"flow":{"id":"f/1","step":2},"data":\#(text)}"#)
      }
      if request.hasPrefix("POST /auth/") { return .answer("200 OK", #"{"token":"t1"}"#) }
      return .answer("200 OK", "{}")
    }
    let profile = try Self.profile(Self.shop, environment: ["SHOP_KEY": "k-1"])
    let handshake = try await Self.owner().handshake(profile, at: server.address)
    var session = try await handshake.signIn(user: "ada")
    let requests = server.requests
    #expect(requests.count == 3)
    let heads = requests.map { String($0.prefix { $0 != "\r\n" }) }
    #expect(heads[1].hasPrefix("POST /auth/start "))
    #expect(heads[2].hasPrefix("POST /auth/f%2F1/finish?step=2 "))
    #expect(Self.body(requests[1]) == "user=ada&csrfmiddlewaretoken=t%2B1%262&kind=passkey")
    let fields = requests.map { $0.lowercased() }
    #expect(fields[1].contains("content-type: application/x-www-form-urlencoded"))
    // The request for the page carries what is known already, so that a gateway lets it pass.
    #expect(fields.allSatisfy { $0.contains("apikey: k-1\r\n") && $0.contains("x-client: web\r\n") })
    #expect(fields.map { $0.contains("x-csrf: t+1&2\r\n") } == [false, true, true])
    #expect(fields.map { $0.contains("cookie: visit=7\r\n") } == [false, true, true])
    #expect(fields.map { $0.contains("x-flow: flow f/1\r\n") } == [false, false, true])
    let proof = try JSON.parse(Self.body(requests[2]))
    #expect(try proof.require("step").int64 == 2)
    #expect(try JSON.parse(proof.require("proof").string).require("type").string == "public-key")

    // In a session, a request that only reads asks for no token; a write does.
    _ = try await handshake.send(method: "GET", path: "/me", in: &session)
    #expect(server.requests.count == 4)
    _ = try await handshake.send(
      method: "POST", path: "/orders", headers: [HeaderField("x-client", "test")], in: &session)
    try await handshake.signOut(of: session)
    let later = server.requests.dropFirst(4).map { $0.lowercased() }
    #expect(
      later.map { $0.prefix { $0 != "\r\n" }.split(separator: " ")[1] } == [
        "/login?next=/", "/orders", "/login?next=/", "/logout",
      ])
    #expect(later.allSatisfy { $0.contains("authorization: bearer t1\r\n") })
    #expect(later[1].contains("x-client: test\r\n") && !later[1].contains("x-client: web\r\n"))
    #expect(later[3].contains("x-csrf: t+1&2\r\n"))
  }

  @Test func `a token of a cookie is sent as it is now`() async throws {
    let profile = try Self.profile(
      #"""
      {
        "name": "shop", "sessions": { "deliveries": ["cookie"], "cookie": { "name": "sid", "prefix": "none" } },
        "values": { "csrf": { "cookie": "csrftoken", "from": "GET /config" } },
        "headers": { "send": { "X-CSRFToken": "$value.csrf" } },
        "endpoints": {
          "sign-in-options": { "route": "GET /login", "response": "$options" },
          "sign-in-verify": { "route": "POST /login", "request": "$credential" },
          "erase-account": { "route": "DELETE /account", "request": { "token": "$value.csrf" }, "stepUp": false }
        }
      }
      """#)
    let server = try FaultServer { (request, number) in
      let fields = "Set-Cookie: csrftoken=c\(number); Path=/\r\nSet-Cookie: sid=s; Path=/\r\n"
      return .answer("200 OK", request.hasPrefix("GET /login") ? Self.options : "{}", number < 3 ? fields : "")
    }
    let handshake = try await Self.owner().handshake(profile, at: server.address)
    var session = try await handshake.signIn()
    try await handshake.eraseAccount(in: &session)
    let requests = server.requests.map { $0.lowercased() }
    // The options bring the cookie, so nothing else has to.
    #expect(
      requests.map { $0.prefix { $0 != "\r\n" } } == [
        "get /login http/1.1", "post /login http/1.1", "delete /account http/1.1",
      ])
    #expect(requests.map { $0.contains("x-csrftoken: c0\r\n") } == [false, true, false])
    #expect(requests[2].contains("x-csrftoken: c1\r\n"))
    #expect(Self.body(requests[2]) == #"{"token":"c1"}"#)
  }

  @Test func `a missing value is named with its place`() async throws {
    let echo = #"""
      {"name":"shop","endpoints":{
        "sign-in-options":{"route":"POST /a","response":{"data":{"publicKey":"$options"},"flowId":"$ceremony.flow"}},
        "sign-in-verify":{"route":"POST /b","request":{"flowId":"$ceremony.flow","c":"$credential"}}}}
      """#
    let csrf = #"""
      {"name":"shop","values":{"csrf":{"json":"data.tokens.1","from":"GET /csrf"}},
       "headers":{"send":{"x-csrf":"$value.csrf"}},
       "endpoints":{"sign-in-options":{"route":"POST /a","response":"$options"},
                    "sign-in-verify":{"route":"POST /b","request":"$credential"}}}
      """#
    let cases: [(profile: String, reply: String, message: String)] = [
      (
        echo, #"{"data":{"publicKey":\#(Self.options)},"flow":1}"#,
        "POST /a was answered with 200 and without flowId ($ceremony.flow); its members are data, flow"
      ),
      (
        echo, #"{"options":\#(Self.options),"flowId":"f"}"#,
        "POST /a was answered with 200 and without options: the profile shop has them in data.publicKey; "
          + "its members are options, flowId"
      ),
      (
        csrf, #"{"data":{"tokens":["a"]}}"#,
        "GET /csrf was answered with 200 and without the member data.tokens.1 ($value.csrf)"
      ),
    ]
    let owner = try PasskeyOwner()
    for (text, reply, message) in cases {
      let server = try FaultServer(.answer("200 OK", reply))
      let handshake = try owner.handshake(try Self.profile(text), at: server.address)
      let error = await #expect(throws: ClientError.self) { try await handshake.signIn() }
      #expect(error?.code == .replyMalformed)
      #expect(error?.detail == message)
    }
  }

  /// Pages with forms: a password, then a passkey as the second factor. Every form answers with a redirect.
  private static let forms = #"""
    {
      "name": "shop", "identifiers": { "username": "required", "email": "none" },
      "sessions": { "deliveries": ["cookie"], "cookie": { "name": "sid", "prefix": "none" } },
      "values": { "csrf": { "page": "csrf", "from": "GET /login" } },
      "endpoints": {
        "sign-in-options": {
          "before": [
            { "route": "POST /login", "encoding": "form", "location": "/second/{ceremony.login}",
              "request": { "csrf": "$value.csrf", "name": "$account.username", "password": "pw" } }
          ],
          "route": "GET /second/{ceremony.login}", "page": "options", "response": "$options"
        },
        "sign-in-verify": {
          "route": "POST /second/{ceremony.login}", "location": "/home", "response": null,
          "request": {
            "key": { "$member": "id", "of": "$credential" },
            "signature": { "$member": "response.signature", "of": "$credential" },
            "attachment?": { "$member": "nothing.here", "of": "$credential" }
          }
        },
        "me": "GET /me"
      }
    }
    """#

  /// Returns a server with the pages, that sends a client to these places after its forms.
  private static func pages(login: String = "/second/17", end: String = "/home?welcome") throws -> FaultServer {
    try FaultServer { (request, number) in
      if request.hasPrefix("GET /login ") {
        return .answer("200 OK", "<input name=csrf value=c\(number)>", "Set-Cookie: sid=first; Path=/\r\n")
      }
      if request.hasPrefix("POST /login ") {
        let fields = "Location: https://shop.example\(login)\r\nSet-Cookie: sid=second; Path=/\r\n"
        return .answer("302 Found", "", fields)
      }
      if request.hasPrefix("GET /second/17 ") {
        return .answer("200 OK", "<script id=\"options\" type=\"application/json\">\(options)</script>")
      }
      return .answer("303 See Other", "", "Location: \(end)\r\nSet-Cookie: sid=third; Path=/\r\n")
    }
  }

  @Test func `a password comes first, the options are in a page, and a redirect is a success`() async throws {
    let server = try Self.pages()
    let handshake = try await Self.owner().handshake(try Self.profile(Self.forms), at: server.address)
    let session = try await handshake.signIn(user: "ada")
    #expect(session.user == "ada")
    let requests = server.requests
    #expect(
      requests.map { String($0.prefix { $0 != "\r\n" }) } == [
        "GET /login HTTP/1.1", "POST /login HTTP/1.1", "GET /second/17 HTTP/1.1", "POST /second/17 HTTP/1.1",
      ])
    #expect(Self.body(requests[1]) == "csrf=c0&name=ada&password=pw")
    let fields = requests.map { $0.lowercased() }
    #expect(fields.map { $0.contains("origin: https://") } == [false, true, false, true])
    #expect(fields[1].contains("cookie: sid=first\r\n") && fields[2].contains("cookie: sid=second\r\n"))
    let proof = try JSON.parse(Self.body(requests[3]))
    #expect(try proof.members.map(\.name) == ["key", "signature"])
    #expect(try proof.require("signature").base64URL.count > 64)
  }

  @Test(
    arguments: [
      ("/login", "/home", .replyMalformed), ("/second/18", "/home", .redirected),
      ("/second/17", "/second/17", .refusedByServer),
    ] as [(String, String, ClientError.Code)])
  func `another redirect is a failure`(login: String, end: String, code: ClientError.Code) async throws {
    let server = try Self.pages(login: login, end: end)
    let handshake = try await Self.owner().handshake(try Self.profile(Self.forms), at: server.address)
    let error = await #expect(throws: ClientError.self) { try await handshake.signIn(user: "ada") }
    #expect(error?.code == code)
  }

  @Test func `a token may stand alone, with the client's origin`() async throws {
    let profile = try Self.profile(
      #"""
      {
        "name": "shop", "sessions": { "deliveries": ["bearer"], "scheme": "none" },
        "headers": { "send": { "Origin": "$origin" } },
        "endpoints": {
          "sign-in-options": { "route": "POST /in", "response": "$options" },
          "sign-in-verify": { "route": "POST /in", "request": "$credential", "response": { "t": "$session.token" } },
          "me": "GET /me"
        }
      }
      """#)
    let server = try FaultServer { (_, number) in .answer("200 OK", number == 0 ? Self.options : #"{"t":"t1"}"#) }
    let handshake = try await Self.owner().handshake(profile, at: server.address)
    var session = try await handshake.signIn()
    _ = try await handshake.whoAmI(in: &session)
    let fields = server.requests.map { $0.lowercased() }
    #expect(fields.map { $0.contains("origin: https://raxx.app\r\n") } == [true, true, false])
    #expect(fields[2].contains("authorization: t1\r\n"))
  }

  @Test func `the project's own server echoes, and refuses the value of another ceremony`() async throws {
    let text = #"""
      {"name":"shop","extends":"raxx","endpoints":{
        "sign-in-options":{"response":{"flow":"$ceremony.flow","publicKey":"$options"}},
        "sign-in-verify":{"request":{"flow":"$ceremony.flow","credential":"$credential"}}}}
      """#
    let profile = try Self.profile(text)
    let world = try ServerWorld(profile)
    let owner = try PasskeyOwner()
    let handshake = try owner.handshake(profile, at: world.address)
    _ = try await handshake.register(user: "ada@example.org")
    #expect(try await handshake.signIn(user: "ada@example.org").user == "ada@example.org")
    let first = try await handshake.beginSignIn()
    let other = try await handshake.beginSignIn()
    #expect(Set(first.kept.keys) == [KeptName(.ceremony, "flow")])
    let mixed = BegunSignIn(
      user: nil, options: first.options, expiry: nil, uiMode: nil, cookies: first.cookies, kept: other.kept)
    let error = await #expect(throws: ClientError.self) { try await handshake.finish(mixed) }
    #expect(error?.problem?.code == "http.body-invalid-member" && error?.problem?.member == "flow")
    // A client that knows nothing of it is bound by the challenge alone.
    let plain = BegunSignIn(
      user: nil, options: first.options, expiry: nil, uiMode: nil, cookies: first.cookies, kept: [:])
    let old = try Self.profile(text.replacing(#""flow":"$ceremony.flow","credential""#, with: #""credential""#))
    _ = try await owner.handshake(old, at: world.address).finish(plain)
  }
}
