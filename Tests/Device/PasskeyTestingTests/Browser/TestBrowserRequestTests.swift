// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import PasskeyTesting
import Testing

struct TestBrowserRequestTests {
  @Test func `a request has the origin, the token and the cookies, and keeps the cookies of the reply`() async throws {
    let requests = Locked<[TestBrowser.Request]>([])
    let browser = try TestBrowser(origin: "https://raxx.app") { (request) in
      requests.withLock { $0.append(request) }
      let cookie = request.path == "/out" ? "a=; Max-Age=0" : "a=\(request.method.count); Path=/; HttpOnly"
      return TestBrowser.Reply(status: 204, headers: [("Set-Cookie", cookie), ("set-cookie", "b=x=y")])
    }
    try await browser.send("GET", "/one?x=y")
    browser.bearer = "token"
    try await browser.send("POST", "/two", #"{"a":1}"#, headers: [(name: "x-a", value: "b")])
    try await browser.send("GET", "/out")
    #expect(browser.cookies == ["b": "x=y"])
    browser.cookies = ["c": "d"]
    try await browser.send("GET", "/three")
    let heads = requests.withLock { $0 }.map { (request) in
      [request.method, request.path] + request.headers.map { "\($0.name): \($0.value)" }
    }
    #expect(
      heads == [
        ["GET", "/one?x=y", "origin: https://raxx.app"],
        [
          "POST", "/two", "origin: https://raxx.app", "authorization: Bearer token", "cookie: a=3; b=x=y", "x-a: b",
          "content-type: application/json",
        ],
        ["GET", "/out", "origin: https://raxx.app", "authorization: Bearer token", "cookie: a=4; b=x=y"],
        ["GET", "/three", "origin: https://raxx.app", "authorization: Bearer token", "cookie: c=d"],
      ])
  }

  @Test func `a refusal of the options ends a ceremony`() async throws {
    let browser = try TestBrowser(origin: "https://raxx.app") { (request) in
      TestBrowser.Reply(status: request.path == "/register/options" ? 403 : 500)
    }
    #expect(try await browser.register(at: "/register").status == 403)
    #expect(try await browser.signIn(at: "/login").status == 500)
    #expect(try await browser.confirm("POST", "/orders", "{}", at: "/confirm").status == 500)
  }

  @Test func `a ceremony with a fault that does not begin throws`() async throws {
    let browser = try TestBrowser(origin: "https://raxx.app") { (_) in TestBrowser.Reply(status: 401) }
    let failure = TestBrowser.Failure.notBegun(status: 401)
    await #expect(throws: failure) { try await browser.register(at: "/register", fault: .challengeCut) }
    await #expect(throws: failure) { try await browser.signIn(at: "/login", fault: .challengeCut) }
    await #expect(throws: failure) {
      try await browser.confirm("POST", "/orders", at: "/confirm", fault: .challengeCut)
    }
  }

  @Test func `a confirmation without a grant throws, because the request is not sent`() async throws {
    let options = #"{"challenge":"AAAAAAAAAAAAAAAAAAAAAA","rpId":"raxx.app"}"#
    let browser = try TestBrowser(origin: "https://raxx.app") { (request) in
      if request.path == "/confirm/options" { return TestBrowser.Reply(status: 200, body: Array(options.utf8)) }
      return TestBrowser.Reply(status: 204)
    }
    _ = try await browser.create(Array(Self.creation.utf8))
    await #expect(throws: TestBrowser.Failure.noGrant) { try await browser.confirm("POST", "/orders", at: "/confirm") }
  }

  private static let creation = #"""
    {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},
     "challenge":"AAAAAAAAAAAAAAAAAAAAAA","pubKeyCredParams":[{"type":"public-key","alg":-7}]}
    """#

  @Test func `a route can have paths of its own and a member around the response`() async throws {
    let route = TestBrowser.Route(options: "/begin", verify: "/finish", member: "credential")
    let finished = Locked<[String]>([])
    let browser = try TestBrowser(origin: "https://raxx.app") { (request) in
      if request.path == "/begin" { return TestBrowser.Reply(status: 200, body: Array(Self.creation.utf8)) }
      finished.withLock { $0.append(request.path + String(decoding: request.body.prefix(20), as: UTF8.self)) }
      return TestBrowser.Reply(status: 201, body: Array(#"{"id":"7","number":8}"#.utf8))
    }
    let reply = try await browser.register(at: route)
    #expect(finished.withLock { $0 }.first?.hasPrefix(#"/finish{"credential":{"id""#) == true)
    #expect(reply.text("id") == "7" && reply.text("number") == nil && reply.text("other") == nil)
  }
}
