// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient
import WebAuthnTypes

struct RelyingPartyScopeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let origin: String
    let requested: String?
    /// The expected RP ID.
    var granted: String?
    /// The expected error.
    var code: ClientError.Code?

    var testDescription: String { "\(origin) asks for \(requested ?? "nothing")" }

    static func allowed(_ origin: String, _ requested: String?, _ granted: String? = nil) -> Self {
      Self(origin: origin, requested: requested, granted: granted ?? requested)
    }

    static func refused(
      _ origin: String, _ requested: String?, _ code: ClientError.Code = .originNotAllowed
    ) -> Self {
      Self(origin: origin, requested: requested, code: code)
    }
  }

  static let cases: [Case] = [
    // The origin's own domain, explicit or implicit.
    .allowed("https://raxx.app", "raxx.app"),
    .allowed("https://raxx.app", nil, "raxx.app"),
    .allowed("https://raxx.app:8443", "raxx.app"),
    .allowed("https://a.b.raxx.app", nil, "a.b.raxx.app"),
    // A registrable parent domain.
    .allowed("https://api.raxx.app", "raxx.app"),
    .allowed("https://a.b.raxx.app", "b.raxx.app"),
    .allowed("https://www.raxx.co.uk", "raxx.co.uk"),
    // Subdomains, unrelated domains and similar names.
    .refused("https://raxx.app", "api.raxx.app"),
    .refused("https://raxx.app", "example.com"),
    .refused("https://evilraxx.app", "raxx.app"),
    .refused("https://raxx.app.evil.com", "raxx.app"),
    .refused("https://www.raxx.app", "xx.app"),
    // Public suffixes, of registries and of others,
    .refused("https://raxx.app", "app"),
    .refused("https://www.raxx.co.uk", "co.uk"),
    .refused("https://raxx.co.uk", "uk"),
    .refused("https://raxx.github.io", "github.io"),
    .refused("https://raxx.github.io", "io"),
    .allowed("https://raxx.github.io", "raxx.github.io"),
    .refused("https://a.b.compute.amazonaws.com", "amazonaws.com"),
    // but the owner of a public suffix may use it itself.
    .allowed("https://github.io", "github.io"),
    .allowed("https://github.io", nil, "github.io"),
    // Wildcards and exceptions of the list.
    .refused("https://www.raxx.ck", "raxx.ck"),
    .allowed("https://sub.www.ck", "www.ck"),
    .refused("https://a.kawasaki.jp", "kawasaki.jp"),
    .allowed("https://x.city.kawasaki.jp", "city.kawasaki.jp"),
    // Without a matching rule, only the last label is a public suffix.
    .allowed("https://a.b.internalname", "b.internalname"),
    .refused("https://b.internalname", "internalname"),
    // Internationalized names in their ASCII form.
    .allowed("https://www.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
    .refused("https://xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn"),
    .allowed("https://www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
    // Addresses are not domains.
    .refused("https://127.0.0.1", nil, .originHasNoDomain),
    .refused("https://127.0.0.1", "localhost", .originHasNoDomain),
    .refused("https://[::1]", nil, .originHasNoDomain),
    .refused("https://192.168.1.10:8443", "raxx.app", .originHasNoDomain),
    .refused("https://under_score.raxx.app", "raxx.app", .originHasNoDomain),
    // Plain HTTP is for localhost only.
    .refused("http://raxx.app", "raxx.app", .originInsecure),
    .refused("http://raxx.app", nil, .originInsecure),
    .allowed("http://localhost", "localhost"),
    .allowed("http://localhost:8080", nil, "localhost"),
    .allowed("https://localhost", "localhost"),
    .allowed("http://app.localhost:3000", "app.localhost"),
    .refused("http://app.localhost", "localhost"),
    .refused("http://notlocalhost", nil, .originInsecure),
    .refused("http://127.0.0.1", nil, .originHasNoDomain),
    // Application origins are not web sites.
    .refused("android:apk-key-hash:AAAA", "raxx.app", .originOpaque),
    .refused("chrome-extension://abcdefgh", nil, .originOpaque),
  ]

  @Test(arguments: cases)
  func `an origin may use its own domain and those above it`(_ item: Case) async throws {
    let scope = RelyingPartyScope(of: try WebOrigin(item.origin), publicSuffixes: PublicSuffixList.system)
    let requested = try item.requested.map { (text) in try RelyingPartyID(text) }
    var granted: String?
    let error = try await failure { granted = try await scope.relyingPartyID(requested: requested).text }
    #expect(granted == item.granted)
    #expect(error?.code == item.code)
    #expect((granted == nil) != (error == nil))
  }

  @Test func `a name with a trailing dot is neither an origin nor an RP ID`() {
    #expect(throws: FormatError.self) { try WebOrigin("https://raxx.app.") }
    #expect(throws: FormatError.self) { try RelyingPartyID("raxx.app.") }
    #expect(throws: FormatError.self) { try RelyingPartyID(".app") }
    #expect(throws: FormatError.self) { try WebOrigin("https://münchen.de") }
  }

  @Test func `without a public suffix list, no domain above the origin can be used`() async throws {
    let scope = RelyingPartyScope(of: try WebOrigin("https://www.raxx.app"), publicSuffixes: nil)
    #expect(try await scope.relyingPartyID(requested: nil).text == "www.raxx.app")
    let error = try await failure { try await scope.relyingPartyID(requested: RelyingPartyID("raxx.app")) }
    #expect(error?.code == .originNotAllowed)
  }

  @Test(arguments: [
    ("https://raxx.app", "https://raxx.app/appid.json", true),
    ("https://www.raxx.app", "https://accounts.raxx.app", true),
    ("https://www.raxx.app", "HTTPS://RAXX.APP:8443/x?y#z", true),
    ("https://raxx.app", "http://raxx.app/appid.json", false),
    ("https://raxx.app", "https://raxx.app.evil.com/", false),
    ("https://raxx.app", "https://raxx.app@evil.com/", false),
    ("https://raxx.app", "https://evil.com/https://raxx.app", false),
    ("https://a.github.io", "https://b.github.io/", false),
    ("https://github.io", "https://b.github.io/", false),
    ("https://raxx.app", "raxx.app", false), ("https://raxx.app", "", false), ("https://raxx.app", "https://", false),
    ("http://localhost", "https://localhost/u2f", true), ("http://localhost:8080", "http://localhost:8080", true),
    ("http://localhost:8080", "http://localhost", false),
    ("https://127.0.0.1", "https://127.0.0.1/", false),
  ])
  func `an AppID must be of the same site`(_ origin: String, _ appID: String, _ isAllowed: Bool) throws {
    let scope = RelyingPartyScope(of: try WebOrigin(origin), publicSuffixes: PublicSuffixList.system)
    #expect(scope.allows(appID: appID) == isAllowed)
  }
}
