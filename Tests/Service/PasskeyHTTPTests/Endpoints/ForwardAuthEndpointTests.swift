// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP

/// The answers to a proxy about a request that it forwards: `/api/auth/forward`.
struct ForwardAuthEndpointTests {
  /// A site with an application below `/members` and at another host, behind a proxy.
  private struct ProxiedSite {
    let world: EndpointWorld
    static let secret = "a secret of thirty-two random bytes"

    init(_ profile: ServiceProfile = .raxx, _ policy: (inout ServicePolicy) -> Void = { _ in }) throws {
      world = try EndpointWorld(
        profile,
        site: SiteMaker { (service) in
          var site = try SiteAccess(for: service)
          site.proxySecrets = [
            SiteAccess.SecretDigest(of: "an older secret"), SiteAccess.SecretDigest(of: Self.secret),
          ]
          site.audiences = ["orders"]
          site.returnTargets = [
            try SiteAccess.ReturnTarget(WebOrigin("https://raxx.app"), path: "/members/"),
            try SiteAccess.ReturnTarget(WebOrigin("https://app.raxx.app")),
          ]
          return site
        }, policy)
    }

    /// Asks as the proxy does.
    func ask(
      _ parameters: String = "", _ own: [(String, String)] = [], by visitor: Visitor? = nil, secret: String? = secret,
      page: String = "/members/list?page=2", host: String = "raxx.app"
    ) async throws -> Answer {
      var fields = [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", host), ("X-Forwarded-Uri", page)] + own
      if let secret { fields.append(("Passkey-Proxy-Secret", secret)) }
      if let token = visitor?.token { fields.append(("Authorization", "Bearer \(token)")) }
      if let cookies = visitor?.cookies.fields { fields += cookies }
      return try await world.send("GET", "/api/auth/forward\(parameters)", nil, fields)
    }
  }

  private static let navigation = [("Accept", "text/html"), ("Sec-Fetch-Mode", "navigate")]

  @Test func `without a secret the endpoint does not exist`() async throws {
    let world = try EndpointWorld()
    try await world.send("GET", "/api/auth/forward").expect(404)
    #expect(!String(decoding: world.endpoints.openAPIDocument, as: UTF8.self).contains("/api/auth/forward"))
  }

  @Test func `a proxy learns the user of a bearer token`() async throws {
    let site = try ProxiedSite()
    let root = try await Visitor.administrator(site.world)
    let answer = try await site.ask(by: root).expect(200)
    #expect(answer.header("remote-user") == root.id)
    #expect(answer.header("remote-name") == root.email)
    #expect(answer.header("remote-groups") == "admin")
    // The address is not verified, so an application must not rely on it.
    #expect(answer.header("remote-email") == nil)
    #expect(answer.header("remote-token") == nil)
    #expect(answer.header("cache-control") == "no-store")
  }

  @Test func `a proxy learns the user of a session cookie`() async throws {
    let site = try ProxiedSite(.yapt)
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let answer = try await site.ask(by: ada).expect(200)
    #expect(answer.header("remote-user")?.isEmpty == false)
    #expect(answer.header("remote-name") == ada.username)
  }

  @Test func `a verified address is told`() async throws {
    let site = try ProxiedSite { Scenarios.mailing(&$0, .off) }
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    #expect(try await site.ask(by: ada).expect(200).header("remote-email") == nil)
    let begun = try await ada.ask(.beginVerification, "", nil).expect(200)
    let code = try await site.world.mailedCode(.emailVerificationRequested).exposedText
    try await ada.ask(.verifyEmail, "", #"{"token":"\#(begun["verification", "token"])","code":"\#(code)"}"#).expect(
      200)
    #expect(try await site.ask(by: ada).expect(200).header("remote-email") == "ada@example.org")
  }

  @Test(arguments: [nil, "", "another secret", "an older secre", "an older secret, an older secret"])
  func `a client without the secret learns nothing, with any other fields`(secret: String?) async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let spoofed = [("Remote-User", "root"), ("Remote-Groups", "admin"), ("X-Forwarded-For", "127.0.0.1")]
    let answer = try await site.ask("", spoofed, by: ada, secret: secret)
    answer.expect(403, "http.proxy-refused")
    #expect(answer.header("remote-user") == nil)
  }

  @Test func `an older secret is valid beside the new one, and a repeated field is not`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    try await site.ask(by: ada, secret: "an older secret").expect(200)
    let second = [("Passkey-Proxy-Secret", ProxiedSite.secret)]
    try await site.ask("", second, by: ada).expect(403, "http.proxy-refused")
  }

  @Test func `identity fields of the client are not repeated`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let spoofed = [("Remote-User", "root"), ("Remote-Name", "root"), ("Remote-Groups", "admin")]
    let answer = try await site.ask("", spoofed, by: ada).expect(200)
    #expect(answer.headers("remote-user") == [ada.id])
    #expect(answer.headers("remote-groups") == [])
  }

  @Test func `a visitor without a session gets 401 with the way to the sign-in and back`() async throws {
    let site = try ProxiedSite()
    let answer = try await site.ask("", Self.navigation)
    answer.expect(401, "session.unknown")
    #expect(
      answer.header("location") == "https://raxx.app/?next=https%3A%2F%2Fraxx.app%2Fmembers%2Flist%3Fpage%3D2")
    #expect(answer.header("www-authenticate") == "Bearer")
    // A proxy that passes on the answer wants a redirect, for a page that a person opened.
    let redirect = try await site.ask("?refusal=redirect", Self.navigation).expect(302)
    #expect(redirect.header("location") == answer.header("location"))
    #expect(redirect.body.isEmpty)
    try await site.ask("?refusal=redirect", [("Accept", "application/json")]).expect(401)
    try await site.ask("?refusal=redirect", [("Sec-Fetch-Mode", "cors"), ("Accept", "text/html")]).expect(401)
    try await site.ask("?refusal=redirect", Self.navigation + [("X-Forwarded-Method", "POST")]).expect(401)
  }

  @Test(arguments: [
    ("evil.example", "/members/"), ("raxx.app", "/admin"), ("raxx.app", "//evil.example/members/"),
    ("raxx.app", "/members/../admin"), ("raxx.app@evil.example", "/members/"),
    ("app.raxx.app.evil.example", "/members/"), ("", "/members/"),
  ])
  func `a page that is no target is no way back`(host: String, page: String) async throws {
    let site = try ProxiedSite()
    let answer = try await site.ask("?refusal=redirect", Self.navigation, page: page, host: host).expect(302)
    #expect(answer.header("location") == "https://raxx.app/")
  }

  @Test func `a session that ends is refused at once`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    try await site.ask(by: ada).expect(200)
    try await ada.ask(.signOut).expect(204)
    try await site.ask(by: ada).expect(401, "session.unknown")
  }

  @Test func `a pending account is refused without a redirect`() async throws {
    let site = try ProxiedSite {
      $0.signUp = .approval
      $0.sessions.allowsPendingAccounts = true
    }
    var ada = try Visitor(site.world, "ada@example.org")
    ada.take(try await ada.signUp())
    try await site.ask("?refusal=redirect", Self.navigation, by: ada).expect(403, "session.account-pending")
  }

  @Test func `a route can require a role`() async throws {
    let site = try ProxiedSite()
    let root = try await Visitor.administrator(site.world)
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    try await site.ask("?role=admin", by: root).expect(200)
    try await site.ask("?role=admin", by: ada).expect(403, "account.not-permitted")
  }

  @Test func `a route can require a recent confirmation, which the same session gives`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    try await site.ask("?max_age=60", by: ada).expect(200)
    site.world.pass(61)
    let refused = try await site.ask("?max_age=60", by: ada)
    refused.expect(401, "http.authentication-insufficient")
    #expect(
      refused.header("www-authenticate")
        == #"Bearer error="insufficient_user_authentication", "#
        + #"error_description="the route requires another authentication", max_age="60""#)
    #expect(refused.header("location")?.hasSuffix("&again=verify") == true)
    // Other routes are not affected.
    try await site.ask("?max_age=600", by: ada).expect(200)
    let options = try await ada.ask(.reverifyOptions).expect(200)
    try await ada.ask(.reverifyVerify, "", ada.person.get(options.body)).expect(200)
    try await site.ask("?max_age=60", by: ada).expect(200)
  }

  @Test func `a route can require a key in hardware`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    try await site.ask("?acr_values=phr", by: ada).expect(200)
    try await site.ask("?acr_values=phr+phrh", by: ada).expect(200)
    let refused = try await site.ask("?acr_values=phrh", by: ada)
    refused.expect(401, "http.authentication-insufficient")
    #expect(refused.header("www-authenticate")?.hasSuffix(#"acr_values="phrh""#) == true)
    #expect(refused.header("location")?.hasSuffix("&again=sign-in") == true)
  }

  @Test(arguments: [
    (Person.counting, "phrh", ["pop", "hwk", "user"]), (.passkeyProvider, "phr", ["pop", "swk", "user"]),
  ])
  func `a passkey is in hardware if its model is attested and it cannot be synchronized`(
    profile: AuthenticatorProfile, contextClass: String, methods: [String]
  ) async throws {
    let site = try ProxiedSite()
    let authority = try TestAttestationAuthority()
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(forEverything: [try X509Certificate(der: authority.certificate)])
    site.world.service.replaceAttestationPolicy(policy)
    var ada = try Visitor(site.world, "ada@example.org")
    ada.person = try Person(profile.withBatchAttestation(by: authority.batch(of: profile.aaguid)))
    ada.take(try await ada.signUp().expect(200))
    let token = try #require(try await site.ask("?audience=orders", by: ada).expect(200).header("remote-token"))
    let claims = try JSON.parse(Base64URL.decode(String(token.split(separator: ".")[1])))
    #expect(try claims.require("acr").string == contextClass)
    #expect(try claims.require("amr").array.map { try $0.string } == methods)
    try await site.ask("?acr_values=phrh", by: ada).expect(contextClass == "phrh" ? 200 : 401)
  }

  @Test(arguments: [
    "?max_age=", "?max_age=0", "?max_age=-1", "?max_age=1e3", "?maxage=60", "?acr_values=", "?acr_values=gold",
    "?refusal=open", "?role=admin&role=", "?max_age=60&max%5Fage=6000", "?audience=shop", "?Role=admin",
  ])
  func `a misspelled rule refuses every request`(parameters: String) async throws {
    let site = try ProxiedSite()
    let root = try await Visitor.administrator(site.world)
    try await site.ask(parameters, by: root).expect(400, "http.target-malformed")
  }

  @Test func `a page of another site cannot change anything with the cookie`() async throws {
    let site = try ProxiedSite(.yapt)
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    func post(_ own: [(String, String)]) async throws -> Answer {
      var visitor = ada
      visitor.token = nil
      return try await site.ask("", own + [("X-Forwarded-Method", "POST")], by: visitor)
    }
    try await post([("Origin", "https://raxx.app"), ("Sec-Fetch-Site", "same-origin")]).expect(200)
    try await post([("Origin", "https://app.raxx.app"), ("Sec-Fetch-Site", "same-site")]).expect(200)
    try await post([("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")])
      .expect(403, "http.origin-refused")
    try await post([("Origin", "https://forum.raxx.app"), ("Sec-Fetch-Site", "same-site")])
      .expect(403, "http.origin-refused")
  }

  @Test func `a page of another site cannot open a WebSocket with the cookie`() async throws {
    let site = try ProxiedSite(.yapt)
    var ada = try await Visitor.signedIn(site.world, "ada@example.org")
    ada.token = nil
    let upgrade = [("X-Forwarded-Method", "GET"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")]
    try await site.ask("", upgrade + [("Origin", "https://raxx.app")], by: ada).expect(200)
    try await site.ask("", upgrade + [("Origin", "https://evil.example")], by: ada).expect(403, "http.origin-refused")
  }

  @Test func `a page with a very long address is no way back`() async throws {
    let site = try ProxiedSite()
    for (length, isKept) in [(1_000, true), (4_000, false)] {
      let page = "/members/list?text=" + String(repeating: "a", count: length)
      let answer = try await site.ask("?refusal=redirect", Self.navigation, page: page).expect(302)
      #expect(answer.header("location")?.contains("next=") == isKept)
    }
  }

  @Test func `a proxy can ask for a signed token of the user`() async throws {
    let site = try ProxiedSite()
    let ada = try await Visitor.signedIn(site.world, "ada@example.org")
    let token = try #require(try await site.ask("?audience=orders", by: ada).expect(200).header("remote-token"))
    let claims = try #require(site.world.endpoints.site?.tokenKeys.claims(of: token))
    #expect(try claims.require("sub").string == ada.id && claims.require("aud").string == "orders")
  }
}
