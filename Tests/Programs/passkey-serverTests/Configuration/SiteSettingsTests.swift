// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyHTTP
import PasskeyProfiles
import PasskeyService
import Testing
import WebAuthnRelyingParty

@testable import passkey_server

/// The settings by which other programs of a site learn who is signed in.
@Suite struct SiteSettingsTests {
  private static func configuration(_ arguments: String...) throws -> ServerConfiguration {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in throw .inputOutput("no \(path)") })
  }

  private static let digest = SiteAccess.SecretDigest(of: "a secret")

  @Test func `the profile of a site has pages, renewal, invitations and a cookie with the site's name`() throws {
    let site = try Self.configuration("--profile", "site", "--rp-id", "garden.example", "--trusted-proxy", "127.0.0.1")
    #expect(site.pages?.description == "on" && site.policy.sessions.renewal != nil)
    #expect(site.policy.signUp == .invitation && site.relyingParty.name == "garden.example")
    #expect(site.profile.sessions.cookie.name == "garden.session" && site.warnings == [])
    let named = try Self.configuration(
      "--profile", "site", "--cookie-name", "my.sid", "--pages", "off", "--rp-name", "Garden")
    #expect(named.pages == nil && named.profile.sessions.cookie.name == "my.sid" && named.relyingParty.name == "Garden")
    // Other profiles keep their cookie.
    #expect(try Self.configuration("--rp-id", "garden.example").profile.sessions.cookie.name == "raxx.session")
    #expect(try Self.configuration().relyingParty.name == "Raxx")
  }

  @Test func `a cookie of a domain has no prefix, and the domain is the RP ID or below it`() throws {
    let shared = try Self.configuration(
      "--profile", "site", "--rp-id", "garden.example", "--cookie-domain", "garden.example")
    #expect(shared.profile.sessions.cookie.domain == "garden.example" && shared.profile.sessions.cookie.prefix == .none)
    for domain in ["example", "evil.example", "a b.garden.example", "garden.example; path=/"] {
      #expect(throws: CommandFailure.self, "\(domain)") {
        try Self.configuration("--profile", "site", "--rp-id", "garden.example", "--cookie-domain", domain)
      }
    }
    #expect(throws: CommandFailure.self) {
      try Self.configuration("--cookie-domain", "raxx.app", "--cookie-prefix", "host")
    }
    let failure = #expect(throws: CommandFailure.self) {
      try Self.configuration("--tokens", "bearer", "--cookie-name", "a")
    }
    #expect(failure?.message == "--cookie-name applies to session cookies, and these sessions use a header")
  }

  @Test func `places to lead back to are paths of the pages, or origins with a path`() throws {
    let site = try Self.configuration(
      "--return-to", "/members/", "--return-to", "https://app.raxx.app", "--return-to", "https://app.raxx.app:8443/a",
      "--cookie-domain", "raxx.app", "--trusted-proxy", "127.0.0.1"
    )
    #expect(
      site.site.returnTargets.map { $0.origin + $0.path }
        == ["https://raxx.app/members", "https://app.raxx.app", "https://app.raxx.app:8443/a"])
    #expect(site.warnings == [])
    for place in [
      "members", "http://app.raxx.app/", "//app.raxx.app", "https://", "https://a/../b", "/a?b", "android:apk", "",
    ] {
      #expect(throws: CommandFailure.self, "\(place)") { try Self.configuration("--return-to", place) }
    }
  }

  @Test func `a place that the session cookie does not reach is a warning`() throws {
    let site = try Self.configuration("--return-to", "https://app.raxx.app/a", "--trusted-proxy", "127.0.0.1")
    #expect(
      site.warnings == [
        "the session cookie does not reach https://app.raxx.app: set --cookie-domain to a domain of both"
      ])
  }

  @Test func `secrets are digests, and a back end may have two`() throws {
    let (first, second) = (Self.digest.hex, SiteAccess.SecretDigest(of: "another").hex)
    let site = try Self.configuration(
      "--proxy-secret", first, "--back-end", "orders=\(first)", "--back-end", "orders=\(second)", "--audience",
      "orders",
      "--token-lifetime", "1m", "--token-key", "2", "--token-key", "1"
    ).site
    #expect(site.proxySecrets == [Self.digest] && site.backEnds["orders"]?.map(\.hex) == [first, second])
    #expect(site.audiences == ["orders"] && site.tokenLifetime == .seconds(60) && site.tokenKeys == ["2", "1"])
    for wrong in [
      ["--proxy-secret", "a secret"], ["--proxy-secret", String(first.dropLast())], ["--back-end", first],
      ["--back-end", "=\(first)"], ["--back-end", "a b=\(first)"], ["--audience", "a b"], ["--audience", ""],
      ["--token-lifetime", "2h"],
    ] {
      #expect(throws: CommandFailure.self, "\(wrong)") { try Self.configuration(wrong[0], wrong[1]) }
    }
  }
}
