// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import TestSupport
import Testing
import WireFormats

@Suite struct PathSearchRevocationTests {
  private let root: TestAuthority
  private let intermediate: TestAuthority
  private let leaf: Certificate

  init() throws {
    root = try TestAuthority.root()
    intermediate = try root.authority { $0.serialNumber = [0x11] }
    leaf = try intermediate.leaf { $0.serialNumber = [0x22] }
  }

  private func validate(
    _ lists: [RevocationList], at time: Timestamp = Moment.y2030,
    _ adjust: (inout CertificatePathPolicy) -> Void = { _ in }
  ) throws -> CertificatePath {
    var policy = CertificatePathPolicy()
    adjust(&policy)
    return try TrustStore([root.certificate])
      .validate(leaf, through: [intermediate.certificate], at: time, revocationLists: lists, policy: policy)
  }

  @Test func `who is on a list is revoked, wherever on the path`() throws {
    let leafRevoked = try intermediate.revocationList { $0.revoke([0x22]) }
    expect(.certificateRevoked, "CN=Leaf, at 2020-01-01T00:00:00Z") { try validate([leafRevoked]) }
    let authorityRevoked = try root.revocationList { $0.revoke([0x11]) }
    expect(.certificateRevoked, "CN=Intermediate") { try validate([authorityRevoked]) }
  }

  @Test func `who is not on it is not, nor is another issuer's certificate with the number`() throws {
    let lists = [try intermediate.revocationList { $0.revoke([0x11]) }, try root.revocationList { $0.revoke([0x22]) }]
    #expect(try validate(lists) { $0.revocation = .required }.certificates.count == 3)
  }

  @Test func `a list is asked for only where the policy requires one`() throws {
    let lists = [try intermediate.revocationList()]
    _ = try validate([])
    _ = try validate(lists)
    expect(.certificateRevocationUnknown, "CN=Root") { try validate(lists) { $0.revocation = .required } }
    expect(.certificateRevocationUnknown, "CN=Intermediate") { try validate([]) { $0.revocation = .required } }
  }

  @Test func `a list that its issuer did not sign says nothing, and is not passed over`() throws {
    var form = RevocationListForm(of: "Intermediate")
    form.revoke([0x22])
    let forged = try RevocationList(der: form.signed(by: TestKey.make("Forger"))[...])
    expect(.certificateRevocationListInvalidSignature) { try validate([forged]) }
    // With a good one beside it, it does no harm.
    _ = try validate([forged, try intermediate.revocationList()])
  }

  @Test func `a list that has run out says nothing about who is not on it`() throws {
    let old = try intermediate.revocationList { $0.nextUpdate = Moment.y2020 }
    expect(.certificateRevocationListExpired, "until 2020-01-01T00:00:00Z, at 2030-01-01T00:00:00Z") {
      try validate([old])
    }
    _ = try validate([old]) { $0.expiredRevocationLists = .used }
    _ = try validate([old, try intermediate.revocationList()])
    let endless = try intermediate.revocationList { $0.nextUpdate = nil }
    _ = try validate([endless])
  }

  @Test func `who was on a list stays revoked when it has run out`() throws {
    let old = try intermediate.revocationList {
      $0.nextUpdate = Moment.y2020
      $0.revoke([0x22])
    }
    expect(.certificateRevoked) { try validate([old, try intermediate.revocationList()]) }
  }

  @Test func `a list that was made later knows more`() throws {
    let later = try intermediate.revocationList {
      $0.thisUpdate = Moment.y2040
      $0.nextUpdate = Moment.y2050
    }
    _ = try validate([later])
  }

  @Test func `an issuer that may not sign lists does not`() throws {
    let root = try TestAuthority.root { $0.extensions = [CertificateForm.authority(), CertificateForm.keyUsage([5])] }
    expect(.certificateKeyUsage, "CN=Root may not sign revocation lists") {
      try TrustStore([root.certificate])
        .validate(root.leaf(), at: Moment.y2030, revocationLists: [root.revocationList()])
    }
  }

  @Test func `a list with a weak signature is no better than a certificate with one`() throws {
    let weak = try intermediate.revocationList { $0.scheme = .ecdsaWithSHA1 }
    expect(.certificateRevocationListInvalidSignature, "SHA-1") { try validate([weak]) }
  }
}
