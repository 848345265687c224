// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

struct TestAttestationAuthorityTests {
  @Test func `the authority is reproducible, and its identities differ by model and device`() throws {
    let first = try TestAttestationAuthority()
    let second = try TestAttestationAuthority()
    #expect(first.certificate == second.certificate)
    let certificates = try [
      first.batch(of: .passkeySoftware), first.batch(of: .zero), first.enterprise(of: .passkeySoftware, device: "1"),
      first.enterprise(of: .passkeySoftware, device: "2"),
    ].compactMap(\.certificates.first)
    #expect(Set(certificates).count == 4)
    #expect(try second.batch(of: .passkeySoftware).certificates.first == certificates.first)
  }

  @Test func `its certificates lead to its root`() throws {
    let authority = try TestAttestationAuthority()
    let root = try X509Certificate(der: authority.certificate[...])
    for identity in try [
      authority.batch(of: .passkeySoftware), authority.enterprise(of: .passkeySoftware, device: "1"),
    ] {
      let leaf = try X509Certificate(der: try #require(identity.certificates.first)[...])
      let path = try TrustStore([root]).validate(leaf, at: UnixTime(secondsSince1970: 1_800_000_000))
      #expect(path.anchor == root)
      #expect(leaf.subject.organizationalUnit == "Authenticator Attestation")
    }
  }
}
