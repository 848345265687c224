// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

/// Tokens for back ends: `/api/auth/token`, `/.well-known/jwks.json` and `/api/auth/introspect`.
struct ApplicationTokenEndpointTests {
  /// A site with two back ends.
  private struct Site {
    let world: EndpointWorld

    init(keys: [String] = ["1"], _ policy: (inout ServicePolicy) -> Void = { _ in }) throws {
      world = try EndpointWorld(
        checksRequests: false,
        site: SiteMaker { (service) in
          var site = try SiteAccess(for: service, tokenKeys: keys)
          site.audiences = ["orders", "https://mail.raxx.app"]
          site.backEnds = [
            "orders": [
              SiteAccess.SecretDigest(of: "old-secret-of-orders"), SiteAccess.SecretDigest(of: "secret-of-orders"),
            ],
            "https://mail.raxx.app": [SiteAccess.SecretDigest(of: "secret-of-mail")],
          ]
          return site
        }, policy)
    }

    func token(_ visitor: Visitor, for audience: String = "orders") async throws -> String {
      try await visitor.ask("POST", "/api/auth/token", #"{"audience":"\#(audience)"}"#).expect(200)["token"]
    }

    func introspect(
      _ token: String, as name: String = "orders", _ secret: String = "secret-of-orders",
      type: String = "application/x-www-form-urlencoded"
    ) async throws -> Answer {
      let credentials = Base64.encode(Array("\(name):\(secret)".utf8))
      return try await world.send(
        "POST", "/api/auth/introspect", "token=\(token)&token_type_hint=access_token", type: type,
        [("Authorization", "Basic \(credentials)")])
    }

    func isActive(
      _ token: String, as name: String = "orders", _ secret: String = "secret-of-orders"
    ) async throws -> Bool {
      let answer = try await introspect(token, as: name, secret).expect(200)
      return try JSON.parse(Array(answer.body.utf8)).require("active").bool
    }

    /// Verifies a token with the published keys, by the program of the example.
    func verify(_ token: String, for audience: String = "orders") async throws -> String {
      let keys = try await world.send("GET", "/.well-known/jwks.json").expect(200).body
      let folder = try TemporaryFolder()
      try File.write(Array(keys.utf8), to: "\(folder.path)/jwks.json")
      let now = world.now.secondsSince1970
      return try await waiting {
        try Shell.run(
          "PYTHONDONTWRITEBYTECODE=1 python3 '\(projectFolder)/Examples/site/verify_token.py' --jwks jwks.json "
            + "--issuer https://raxx.app --audience '\(audience)' --now \(now) '\(token)' || true", in: folder.path)
      }
    }
  }

  private static func parts(_ token: String) throws -> (header: JSONValue, claims: JSONValue) {
    let parts = try token.split(separator: ".").map { try Base64URL.decode(String($0)) }
    return (try JSON.parse(parts[0]), try JSON.parse(parts[1]))
  }

  @Test func `without the settings the endpoints do not exist`() async throws {
    let world = try EndpointWorld()
    for (method, path) in [
      ("POST", "/api/auth/token"), ("POST", "/api/auth/introspect"), ("GET", "/.well-known/jwks.json"),
    ] {
      try await world.send(method, path).expect(404)
    }
  }

  @Test func `a signed token has the registered claims`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let session = try await ada.ask(.me).expect(200)["session", "id"]
    site.world.pass(30)
    let answer = try await ada.ask("POST", "/api/auth/token", #"{"audience":"orders"}"#).expect(200)
    let (header, claims) = try Self.parts(answer["token"])
    #expect(try header.require("alg").string == "ES256" && header.require("typ").string == "JWT")
    #expect(try claims.require("iss").string == "https://raxx.app")
    #expect(try claims.require("aud").string == "orders")
    #expect(try claims.require("sub").string == ada.id)
    #expect(try claims.require("sid").string == session)
    let start = EndpointWorld.start.secondsSince1970
    #expect(try claims.require("auth_time").integer(Int64.self) == start)
    #expect(try claims.require("iat").integer(Int64.self) == start + 30)
    #expect(try claims.require("exp").integer(Int64.self) == start + 330)
    #expect(try claims.require("acr").string == "phr")
    #expect(try claims.require("amr").array.map { try $0.string } == ["pop", "swk", "user"])
    #expect(try claims.require("jti").string.count == 22)
    #expect(try answer["expiresAt"] == (site.world.now + .seconds(300)).description)
    let (_, other) = try Self.parts(try await site.token(ada))
    #expect(try other.require("jti").string != claims.require("jti").string)
  }

  @Test func `a token ends with its session's token`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    site.world.pass(800)
    let (_, claims) = try Self.parts(try await site.token(ada))
    #expect(try claims.require("exp").integer(Int64.self) == EndpointWorld.start.secondsSince1970 + 900)
  }

  @Test func `a token is signed only for services of the settings, and only for a session`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let refused = try await ada.ask("POST", "/api/auth/token", #"{"audience":"shop"}"#)
    refused.expect(400, "http.body-invalid-member")
    #expect(try refused["member"] == "audience")
    try await ada.ask("POST", "/api/auth/token", "{}").expect(400, "http.body-missing-member")
    try await Visitor(site.world, "eve@example.org").ask("POST", "/api/auth/token", #"{"audience":"orders"}"#)
      .expect(401, "session.unknown")
  }

  @Test func `another program verifies a token with the published keys`() async throws {
    let site = try Site(keys: ["2", "1"])
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let token = try await site.token(ada)
    #expect(try await site.verify(token).contains(ada.id))
    #expect(try await site.verify(token, for: "https://mail.raxx.app") == "refused: audience\n")
    site.world.pass(301)
    #expect(try await site.verify(token) == "refused: expired\n")
  }

  @Test func `a token signed before a rotation stays valid while its key is published`() async throws {
    let old = try Site(keys: ["1"])
    let token = try await old.token(try await Visitor.signedIn(old.world, "ada@example.org"))
    #expect(try await Site(keys: ["2", "1"]).verify(token).hasPrefix("refused") == false)
    #expect(try await Site(keys: ["2"]).verify(token) == "refused: key\n")
  }

  @Test func `forged tokens are refused by the example and by introspection`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let token = try await site.token(ada)
    let parts = token.split(separator: ".").map { String($0) }
    let kid = try Self.parts(token).header.require("kid").string
    func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
    let keys = try await site.world.send("GET", "/.well-known/jwks.json").expect(200).body
    // HS256 with the published key as the secret, which a verifier that believes the header would accept.
    let confused = "\(encode(#"{"alg":"HS256","typ":"JWT","kid":"\#(kid)"}"#)).\(parts[1])"
    let tag = HMAC.tag(of: Array(confused.utf8), key: SecretBytes(utf8: keys))
    let forged = [
      "\(encode(#"{"alg":"none","typ":"JWT"}"#)).\(parts[1]).",
      "\(encode(#"{"alg":"none","kid":"\#(kid)"}"#)).\(parts[1]).\(parts[2])",
      "\(confused).\(Base64URL.encode(tag))",
      "\(encode(#"{"alg":"ES256","typ":"JWT","kid":"other"}"#)).\(parts[1]).\(parts[2])",
      "\(encode(#"{"alg":"ES256","kid":"\#(kid)","crit":["exp"]}"#)).\(parts[1]).\(parts[2])",
      "\(parts[0]).\(encode(#"{"iss":"https://raxx.app","aud":"orders","sub":"root","exp":9999999999}"#)).\(parts[2])",
      "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 86))",
      "\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))",
      "\(parts[0]).\(parts[1])", "\(token).\(parts[2])", "", "a.b.c",
    ]
    for text in forged {
      #expect(try await site.verify(text).hasPrefix("refused: "), "\(text)")
      guard !text.isEmpty else { continue }
      #expect(try await !site.isActive(text), "\(text)")
    }
    #expect(try await site.isActive(token))
  }

  @Test func `introspection describes a session token and a signed token`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let session = try await site.introspect(try #require(ada.token)).expect(200)
    #expect(try session["sub"] == ada.id && session["username"] == "ada@example.org" && session["acr"] == "phr")
    let signed = try await site.introspect(try await site.token(ada)).expect(200)
    #expect(try signed["sub"] == ada.id && signed["aud"] == "orders")
    #expect(signed.header("cache-control") == "no-store")
  }

  @Test func `a token of another service is not active for a back end`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let token = try await site.token(ada, for: "https://mail.raxx.app")
    #expect(try await !site.isActive(token))
    // A colon ends the name in Basic credentials.
    #expect(try await site.isActive(token, as: "https%3A%2F%2Fmail.raxx.app", "secret-of-mail"))
    try await site.introspect(token, as: "https://mail.raxx.app", "secret-of-mail").expect(401, "http.client-refused")
  }

  @Test func `a session that ends within a token's life is inactive at once`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let (session, token) = (try #require(ada.token), try await site.token(ada))
    #expect(try await site.isActive(session))
    #expect(try await site.isActive(token))
    try await ada.ask(.signOut).expect(204)
    #expect(try await !site.isActive(session))
    #expect(try await !site.isActive(token))
    // A back end that verifies the token itself accepts it until it expires.
    #expect(try await site.verify(token).contains(ada.id))
  }

  @Test func `a session that waits for a verification is inactive, and so are its tokens`() async throws {
    let site = try Site { $0.sessions.verificationLimit = .seconds(120) }
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let (session, token) = (try #require(ada.token), try await site.token(ada))
    site.world.pass(121)
    #expect(try await !site.isActive(session))
    #expect(try await !site.isActive(token))
  }

  @Test func `a disabled account, an idle session and an expired token are inactive`() async throws {
    let site = try Site {
      $0.sessions.idleLimit = .seconds(150)
      $0.sessions.renewal = .init()
    }
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let token = try await site.token(ada)
    site.world.pass(151)
    #expect(try await !site.isActive(token))
    let bob = try await Visitor.signedIn(site.world, "bob@example.org")
    let second = try await site.token(bob)
    #expect(try await site.isActive(second))
    let root = try await Visitor.administrator(site.world)
    try await root.askConfirmed(.disableUser, bob.id).expect(200)
    #expect(try await !site.isActive(second))
    let carol = try await Visitor.signedIn(site.world, "carol@example.org")
    let third = try await site.token(carol)
    for _ in 0..<3 {
      site.world.pass(100)
      try await carol.ask(.me).expect(200)
    }
    #expect(try await !site.isActive(third))
    #expect(try await site.isActive(try #require(carol.token)))
  }

  @Test(arguments: [
    ("orders", "secret-of-mail"), ("orders", ""), ("shop", "secret-of-orders"), ("", ""), ("orders", "secret-of-order"),
  ])
  func `a back end without its secret is refused`(name: String, secret: String) async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let answer = try await site.introspect(try #require(ada.token), as: name, secret)
    answer.expect(401, "http.client-refused")
    #expect(answer.header("www-authenticate") == #"Basic realm="passkey""#)
  }

  @Test func `an older secret-of-a back end is valid beside the new one`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    #expect(try await site.isActive(try #require(ada.token), as: "orders", "old-secret-of-orders"))
  }

  @Test func `a session of a user does not introspect, and a body that is no form is refused`() async throws {
    let site = try Site()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let form = "application/x-www-form-urlencoded"
    try await ada.ask("POST", "/api/auth/introspect", "token=\(ada.token ?? "")", type: form)
      .expect(401, "http.client-refused")
    try await site.introspect(ada.token ?? "", type: "application/json").expect(400, "http.body-missing-member")
    try await site.introspect("").expect(400, "http.body-missing-member")
  }

  @Test func `the key set is public and cached, and has no private part`() async throws {
    let site = try Site(keys: ["2", "1"])
    let answer = try await site.world.send("GET", "/.well-known/jwks.json").expect(200)
    #expect(answer.header("cache-control") == "public, max-age=3600")
    let keys = Array(try JSON.parse(Array(answer.body.utf8)).require("keys").array)
    #expect(keys.count == 2)
    for key in keys {
      #expect(Set(try key.members.map(\.name)) == ["kty", "crv", "x", "y", "use", "alg", "kid"])
    }
    #expect(Set(try keys.map { try $0.require("kid").string }).count == 2)
  }

  @Test(arguments: [[], ["1", "1"], [""], ["a b"], [String(repeating: "k", count: 33)]] as [[String]])
  func `names of keys are checked`(names: [String]) {
    let error = #expect(throws: ServiceError.self) { try Site(keys: names) }
    #expect(error?.code == .configurationInvalid)
  }
}
