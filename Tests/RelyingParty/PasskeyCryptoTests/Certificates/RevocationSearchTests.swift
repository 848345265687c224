// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Revocation outranks every other result, whatever certificates the sender chooses.
@Suite struct RevocationSearchTests {
  private let root: TestAuthority
  private let intermediate: TestAuthority
  private let leaf: X509Certificate
  private let leafRevoked: RevocationList
  private let authorityRevoked: RevocationList

  init() throws {
    root = try TestAuthority.root()
    intermediate = try root.authority { $0.serialNumber = [0x11] }
    leaf = try intermediate.leaf { $0.serialNumber = [0x22] }
    leafRevoked = try intermediate.revocationList { $0.revoke([0x22]) }
    authorityRevoked = try root.revocationList { $0.revoke([0x11]) }
  }

  private func validate(
    _ leaf: X509Certificate? = nil, through certificates: [X509Certificate], known: [X509Certificate] = [],
    _ lists: [RevocationList], anchors: [X509Certificate]? = nil, at time: UnixTime = Moment.y2030
  ) throws -> X509Certificate.Path {
    try TrustStore(anchors ?? [root.certificate])
      .validate(
        leaf ?? self.leaf, through: certificates, knownAuthorities: known, at: time, revocationLists: lists)
  }

  private func decoy(_ index: Int = 0) throws -> X509Certificate {
    try root.authority("Intermediate", key: TestKey.make("Decoy \(index)")) { $0.serialNumber = [0x33] }.certificate
  }

  @Test func `a decoy of the issuer's name does not hide a revocation`() throws {
    let certificates = [try decoy(), intermediate.certificate]
    expect(.certificateRevoked, "CN=Leaf") { try validate(through: certificates, [leafRevoked]) }
    expect(.certificateRevoked, "CN=Intermediate") { try validate(through: certificates, [authorityRevoked]) }
  }

  @Test func `the maximum number of decoys does not hide a revocation`() throws {
    let certificates = try (0..<15).map(decoy) + [intermediate.certificate]
    for list in [leafRevoked, authorityRevoked] {
      expect(.certificateRevoked) { try validate(through: certificates, [list]) }
    }
  }

  @Test func `omitting the issuer does not hide a revoked leaf`() throws {
    expect(.certificateRevoked, "CN=Leaf") { try validate(through: [], [leafRevoked]) }
    expect(.certificateRevoked, "CN=Leaf") { try validate(through: [decoy()], [leafRevoked]) }
  }

  @Test func `without anchors, a list still revokes the leaf`() throws {
    expect(.certificateRevoked) { try validate(through: [intermediate.certificate], [leafRevoked], anchors: []) }
    expect(.certificateRevoked) { try validate(through: [], [leafRevoked], anchors: []) }
  }

  @Test func `reports an omitted issuer that its organization may have revoked`() throws {
    expect(.certificateIssuerOmitted, "CN=Intermediate") { try validate(through: [], [authorityRevoked]) }
    expect(.certificateIssuerOmitted) { try validate(through: [decoy()], [authorityRevoked]) }
    // A list without entries is no reason for suspicion.
    expect(.certificateUnknownAuthority) { try validate(through: [], [root.revocationList()]) }
  }

  @Test func `a known authority resolves whether an omitted issuer is revoked`() throws {
    let known = [intermediate.certificate]
    expect(.certificateRevoked, "CN=Intermediate") { try validate(through: [], known: known, [authorityRevoked]) }
    expect(.certificateRevoked) { try validate(through: (0..<15).map(decoy), known: known, [authorityRevoked]) }
    let other = try root.revocationList { $0.revoke([0x44]) }
    #expect(try validate(through: [], known: known, [other]).certificates.count == 3)
  }

  @Test func `ignores known authorities unrelated to the leaf`() throws {
    let other = try root.authority("Other") { $0.serialNumber = [0x55] }
    let list = try root.revocationList { $0.revoke([0x55]) }
    let path = try validate(through: [intermediate.certificate], known: [other.certificate], [list])
    #expect(path.certificates.count == 3)
  }

  @Test func `a list that an authority signed with its new key revokes a certificate of its old key`() throws {
    let renewed = try root.authority("Intermediate", key: TestKey.make("New key")) { $0.serialNumber = [0x12] }
    let list = try renewed.revocationList { $0.revoke([0x22]) }
    let certificates = [intermediate.certificate, renewed.certificate]
    expect(.certificateRevoked, "CN=Leaf") { try validate(through: certificates, [list]) }
    expect(.certificateRevoked, "CN=Leaf") {
      try validate(through: [intermediate.certificate], known: [renewed.certificate], [list])
    }
    // Two roots of one name; the older is the anchor that a list of the newer one names.
    let newRoot = try TestAuthority.root("Root", key: TestKey.make("New root")) { $0.serialNumber = [0x77] }
    let anchors = [root.certificate, newRoot.certificate]
    let byNewRoot = try newRoot.revocationList { $0.revoke([0x11]) }
    expect(.certificateRevoked, "CN=Intermediate") {
      try validate(through: [intermediate.certificate], [byNewRoot], anchors: anchors)
    }
  }

  @Test func `a revocation outranks validity periods`() throws {
    let expired = try intermediate.leaf {
      $0.serialNumber = [0x22]
      $0.notAfter = Moment.y2020 + .seconds(1)
    }
    expect(.certificateExpired) { try validate(expired, through: [intermediate.certificate], []) }
    expect(.certificateRevoked) { try validate(expired, through: [intermediate.certificate], [leafRevoked]) }
  }

  @Test func `a valid path does not hide a revoked one`() throws {
    let renewed = try root.authority("Intermediate", key: intermediate.key) { $0.serialNumber = [0x12] }
    #expect(try validate(through: [renewed.certificate, intermediate.certificate], []).certificates.count == 3)
    expect(.certificateRevoked) {
      try validate(through: [renewed.certificate, intermediate.certificate], [authorityRevoked])
    }
  }

  @Test func `rejects a revoked anchor`() throws {
    let anchors = [intermediate.certificate]
    expect(.certificateRevoked, "CN=Intermediate") { try validate(through: [], [authorityRevoked], anchors: anchors) }
    expect(.certificateRevoked, "CN=Leaf") { try validate(through: [], [leafRevoked], anchors: [leaf]) }
  }

  @Test func `a forged list does not affect a valid path`() throws {
    var form = RevocationListForm(of: "Intermediate")
    form.revoke([0x22])
    let forged = try RevocationList(der: form.signed(by: TestKey.make("Forger")))
    expect(.certificateRevocationListInvalidSignature) {
      try validate(through: [intermediate.certificate], [forged])
    }
    #expect(
      try validate(through: [intermediate.certificate], [forged, intermediate.revocationList()]).certificates.count == 3
    )
  }

  @Test func `accepts an expired leaf only if the policy allows it`() throws {
    let expired = try intermediate.leaf { $0.notAfter = Moment.y2020 + .seconds(1) }
    let store = TrustStore([root.certificate])
    var policy = CertificatePathPolicy()
    func path(at time: UnixTime) throws -> X509Certificate.Path {
      try store.validate(expired, through: [intermediate.certificate], at: time, policy: policy)
    }
    expect(.certificateExpired) { try path(at: Moment.y2030) }
    policy.leafDates = .expiryIgnored
    #expect(try path(at: Moment.y2030).certificates.count == 3)
    // The policy ignores only the expiry, and only of the leaf.
    expect(.certificateNotYetValid) { try path(at: expired.notBefore - .seconds(1)) }
    expect(.certificateExpired, "CN=Intermediate") { try path(at: intermediate.certificate.notAfter + .seconds(1)) }
  }
}
