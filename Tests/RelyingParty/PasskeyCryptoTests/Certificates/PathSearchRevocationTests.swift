// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct PathSearchRevocationTests {
  private let root: TestAuthority
  private let intermediate: TestAuthority
  private let leaf: X509Certificate

  init() throws {
    root = try TestAuthority.root()
    intermediate = try root.authority { $0.serialNumber = [0x11] }
    leaf = try intermediate.leaf { $0.serialNumber = [0x22] }
  }

  private func validate(
    _ lists: [RevocationList], at time: UnixTime = Moment.y2030,
    _ adjust: (inout CertificatePathPolicy) -> Void = { _ in }
  ) throws -> X509Certificate.Path {
    var policy = CertificatePathPolicy()
    adjust(&policy)
    return try TrustStore([root.certificate])
      .validate(leaf, through: [intermediate.certificate], at: time, revocationLists: lists, policy: policy)
  }

  @Test func `rejects a listed certificate anywhere on the path`() throws {
    let leafRevoked = try intermediate.revocationList { $0.revoke([0x22]) }
    expect(.certificateRevoked, "CN=Leaf, at 2020-01-01T00:00:00Z") { try validate([leafRevoked]) }
    let authorityRevoked = try root.revocationList { $0.revoke([0x11]) }
    expect(.certificateRevoked, "CN=Intermediate") { try validate([authorityRevoked]) }
  }

  @Test func `accepts unlisted certificates and equal serial numbers of other issuers`() throws {
    let lists = [try intermediate.revocationList { $0.revoke([0x11]) }, try root.revocationList { $0.revoke([0x22]) }]
    #expect(try validate(lists) { $0.revocation = .required }.certificates.count == 3)
  }

  @Test func `requires a list only if the policy does`() throws {
    let lists = [try intermediate.revocationList()]
    _ = try validate([])
    _ = try validate(lists)
    expect(.certificateRevocationUnknown, "CN=Root") { try validate(lists) { $0.revocation = .required } }
    expect(.certificateRevocationUnknown, "CN=Intermediate") { try validate([]) { $0.revocation = .required } }
  }

  @Test func `rejects a list with a wrong signature`() throws {
    var form = RevocationListForm(of: "Intermediate")
    form.revoke([0x22])
    let forged = try RevocationList(der: form.signed(by: TestKey.make("Forger")))
    expect(.certificateRevocationListInvalidSignature) { try validate([forged]) }
    // A valid list in addition makes up for it.
    _ = try validate([forged, try intermediate.revocationList()])
  }

  @Test func `an expired list does not clear an unlisted certificate`() throws {
    let old = try intermediate.revocationList { $0.nextUpdate = Moment.y2020 }
    expect(.certificateRevocationListExpired, "until 2020-01-01T00:00:00Z, at 2030-01-01T00:00:00Z") {
      try validate([old])
    }
    _ = try validate([old]) { $0.expiredRevocationLists = .used }
    _ = try validate([old, try intermediate.revocationList()])
    let endless = try intermediate.revocationList { $0.nextUpdate = nil }
    _ = try validate([endless])
  }

  @Test func `a certificate on an expired list stays revoked`() throws {
    let old = try intermediate.revocationList {
      $0.nextUpdate = Moment.y2020
      $0.revoke([0x22])
    }
    expect(.certificateRevoked) { try validate([old, try intermediate.revocationList()]) }
  }

  @Test func `accepts a list newer than the validation time`() throws {
    let later = try intermediate.revocationList {
      $0.thisUpdate = Moment.y2040
      $0.nextUpdate = Moment.y2050
    }
    _ = try validate([later])
  }

  @Test func `rejects a list of an issuer without the cRLSign usage`() throws {
    let root = try TestAuthority.root { $0.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([5])] }
    expect(.certificateKeyUsage, "CN=Root may not sign revocation lists") {
      try TrustStore([root.certificate])
        .validate(root.leaf(), at: Moment.y2030, revocationLists: [root.revocationList()])
    }
  }

  @Test func `rejects a list with a weak signature`() throws {
    let weak = try intermediate.revocationList { $0.scheme = .ecdsaWithSHA1 }
    expect(.certificateRevocationListInvalidSignature, "SHA-1") { try validate([weak]) }
  }
}
