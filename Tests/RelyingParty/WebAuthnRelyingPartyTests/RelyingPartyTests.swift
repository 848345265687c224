// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// The configuration of a relying party.
@Suite struct RelyingPartyTests {
  private func make(
    _ origins: [String], id: String = "raxx.app", name: String = "Raxx", inside topOrigins: [String]? = nil
  ) throws -> RelyingParty {
    var policy = CeremonyPolicy()
    if let topOrigins { policy.embedding = .allowed(topOrigins: try topOrigins.map { try WebOrigin($0) }) }
    return try RelyingParty(
      id: RelyingPartyID(id), name: name, origins: origins.map { try WebOrigin($0) }, policy: policy)
  }

  @Test(arguments: [
    "https://raxx.app", "https://raxx.app:8443", "https://example.org", "http://localhost", "http://localhost:8080",
    "https://localhost", "http://app.localhost:3000", "android:apk-key-hash:AAECAw", "ios:bundle-id:app.raxx.ios",
  ])
  func `https, localhost and application origins are accepted`(origin: String) throws {
    #expect(try make([origin]).origins == [WebOrigin(origin)])
    #expect(
      try make(["https://raxx.app"], inside: [origin]).policy.embedding == .allowed(topOrigins: [WebOrigin(origin)]))
  }

  @Test(arguments: [
    "http://raxx.app", "http://raxx.app:443", "http://notlocalhost", "http://localhost.raxx.app",
    "http://127.0.0.1:8080", "http://[::1]",
  ])
  func `an origin without WebAuthn support is refused everywhere`(origin: String) throws {
    let attempts: [() throws -> RelyingParty] = [
      { try make([origin]) }, { try make(["https://raxx.app", origin]) },
      { try make(["https://raxx.app"], inside: ["https://example.org", origin]) },
    ]
    for attempt in attempts {
      let error = #expect(throws: CeremonyError.self) { try attempt() }
      #expect(error?.code == .originInsecure && error?.step == nil)
      #expect(error?.comparison?.received == (try WebOrigin(origin).text))
    }
  }

  @Test(arguments: ["", " ", "\t\u{a0}\n"])
  func `a name that displays as empty is refused`(name: String) throws {
    let error = #expect(throws: CeremonyError.self) { try make(["https://raxx.app"], name: name) }
    #expect(error?.code == .nameEmpty && error?.step == nil)
  }

  @Test func `public suffixes are not checked here`() throws {
    #expect(try make(["https://raxx.com"], id: "com").id.text == "com")
  }
}
