// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct RevocationListTests {
  private func list(_ corrupt: (inout RevocationListForm) throws -> Void) throws -> RevocationList {
    try TestAuthority.root().revocationList(corrupt)
  }

  @Test func `reads every field`() throws {
    let list = try list {
      $0.revoke([0x00, 0xff], reason: 1)
      $0.revoke([0x07])
      $0.extensions = [CertificatePart.extension([2, 5, 29, 20]) { $0.writeInteger(258) }]
    }
    #expect(list.issuer.description == "CN=Root")
    #expect(list.thisUpdate == Moment.y2020)
    #expect(list.nextUpdate == Moment.y2040)
    #expect(list.number == [0x01, 0x02])
    #expect(list.count == 2)
    #expect(list.revocation(of: [0x00, 0xff])?.reason == 1)
    #expect(list.revocation(of: [0x07])?.reason == nil)
    #expect(list.revocation(of: [0x07])?.date == Moment.y2020)
    #expect(list.revocation(of: [0x08]) == nil)
  }

  @Test func `a list may be empty, old and without nextUpdate`() throws {
    let list = try list {
      $0.version = nil
      $0.nextUpdate = nil
    }
    #expect(list.count == 0)
    #expect(list.nextUpdate == nil)
    #expect(list.number == nil)
  }

  @Test func `rejects malformed lists`() throws {
    expect(.certificateRevocationListMalformed, "der.truncated") { try RevocationList(der: []) }
    expect(.certificateRevocationListMalformed, "der.integer-out-of-range") { try list { $0.version = 2 } }
    expect(.certificateRevocationListMalformed, "inner and outer signature algorithms differ") {
      try list { $0.innerAlgorithm = SignatureForm.ecdsaWithSHA1.identifier }
    }
    let der = try TestAuthority.root().certificate.der
    expect(.certificateRevocationListMalformed) { try RevocationList(der: der) }
  }

  @Test func `rejects other kinds of lists by their extensions`() throws {
    // A delta list, a partial list, and an entry for a certificate of another issuer.
    for identifier: DERObjectIdentifier in [[2, 5, 29, 27], [2, 5, 29, 28]] {
      for isCritical in [true, false] {
        expect(.certificateRevocationListUnsupported, "extension \(identifier)") {
          try list {
            $0.extensions = [CertificatePart.extension(identifier, isCritical: isCritical) { $0.writeNull() }]
          }
        }
      }
    }
    for isCritical in [true, false] {
      expect(.certificateRevocationListUnsupported, "extension 2.5.29.29") {
        try list {
          $0.entries = [
            ([1], Moment.y2020, [CertificatePart.extension([2, 5, 29, 29], isCritical: isCritical) { $0.writeNull() }])
          ]
        }
      }
    }
  }
}
