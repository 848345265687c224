// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnAuthenticator

struct RevocationListMakerTests {
  @Test func `a list names the given certificates`() throws {
    let issuer = try CertificateMakerTests.issuer(.es256)
    let maker = RevocationListMaker(
      issuer: issuer.name, validity: CertificateMakerTests.validity, serialNumbers: [[2], [3, 4]])
    let list = try RevocationList(der: maker.list(signedBy: issuer.key)[...])
    #expect(list.count == 2)
    #expect(list.revocation(of: [3, 4]) != nil)
    #expect(list.revocation(of: [5]) == nil)
    #expect(list.nextUpdate == CertificateMakerTests.validity.upperBound)
  }

  @Test func `an empty list is valid`() throws {
    let issuer = try CertificateMakerTests.issuer(.es256)
    let maker = RevocationListMaker(
      issuer: issuer.name, validity: CertificateMakerTests.validity, serialNumbers: [])
    #expect(try RevocationList(der: maker.list(signedBy: issuer.key)[...]).count == 0)
  }
}
