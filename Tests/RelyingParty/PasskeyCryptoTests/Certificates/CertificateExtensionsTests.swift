// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CertificateExtensionsTests {
  private func certificate(_ extensions: [UInt8]...) throws -> X509Certificate {
    try TestAuthority.root().leaf { $0.extensions = extensions }
  }

  @Test func `finds an extension by its identifier`() throws {
    let certificate = try certificate(CertificatePart.extension([1, 3, 6, 1], isCritical: true) { $0.writeNull() })
    #expect(certificate.extension([1, 3, 6, 1])?.isCritical == true)
    #expect(certificate.extension([1, 3, 6, 1])?.value == [0x05, 0x00])
    #expect(certificate.extension([1, 3, 6, 2]) == nil)
  }

  @Test func `absent extensions are nil`() throws {
    let certificate = try certificate()
    #expect(certificate.basicConstraints == nil)
    #expect(!certificate.isCertificateAuthority)
    #expect(certificate.keyUsage == nil)
    #expect(certificate.extendedKeyUsages == nil)
    #expect(certificate.subjectAlternativeName == nil)
    #expect(certificate.subjectKeyIdentifier == nil)
    #expect(certificate.authorityKeyIdentifier == nil)
  }

  @Test func `reads basic constraints`() throws {
    let authority = try certificate(CertificateForm.authority(pathLength: 3))
    #expect(authority.isCertificateAuthority)
    #expect(authority.basicConstraints?.pathLength == 3)
    let unlimited = try certificate(CertificateForm.authority())
    #expect(unlimited.basicConstraints?.pathLength == nil)
  }

  @Test func `accepts a very large path length`() throws {
    let certificate = try certificate(
      CertificatePart.extension(.basicConstraints) { $0.write(encoded: hex("300e0101ff020900ffffffffffffffff")) })
    #expect(certificate.basicConstraints?.pathLength == .max)
  }

  @Test func `rejects a negative path length`() {
    expect(.certificateMalformed, "der.integer-out-of-range") {
      try certificate(CertificateForm.authority(pathLength: -1))
    }
  }

  @Test(arguments: [
    (UInt8(0), KeyUsage.digitalSignature), (1, .nonRepudiation), (2, .keyEncipherment), (3, .dataEncipherment),
    (4, .keyAgreement), (5, .certificateSigning), (6, .revocationListSigning), (7, .encipherOnly), (8, .decipherOnly),
  ])
  func `each key usage bit has its name`(bit: UInt8, usage: KeyUsage) throws {
    #expect(try certificate(CertificateForm.keyUsage([bit])).keyUsage == usage)
    #expect(try certificate(CertificateForm.keyUsage([0, bit])).keyUsage == [.digitalSignature, usage])
  }

  @Test func `lists extended key usages`() throws {
    let purposes = CertificatePart.extension(.extendedKeyUsage) {
      $0.writeSequence {
        $0.writeObjectIdentifier([2, 23, 133, 8, 3])
        $0.writeObjectIdentifier([1, 3, 6, 1, 5, 5, 7, 3, 1])
      }
    }
    #expect(try certificate(purposes).extendedKeyUsages == [[2, 23, 133, 8, 3], [1, 3, 6, 1, 5, 5, 7, 3, 1]])
  }

  @Test func `reads key identifiers in every form`() throws {
    let certificate = try certificate(
      CertificatePart.extension(.subjectKeyIdentifier) { $0.writeOctetString([1, 2]) },
      CertificatePart.extension(.authorityKeyIdentifier) { $0.write(encoded: hex("3009 8002 0304 a100 820105")) })
    #expect(certificate.subjectKeyIdentifier == [1, 2])
    #expect(certificate.authorityKeyIdentifier == [3, 4])
    let without = try self.certificate(
      CertificatePart.extension(.authorityKeyIdentifier) { $0.write(encoded: hex("3003 820105")) })
    #expect(without.authorityKeyIdentifier == nil)
  }

  @Test func `ignores malformed key identifiers`() throws {
    let certificate = try certificate(
      CertificatePart.extension(.subjectKeyIdentifier) { $0.writeNull() },
      CertificatePart.extension(.authorityKeyIdentifier) { $0.writeNull() })
    #expect(certificate.subjectKeyIdentifier == nil)
    #expect(certificate.authorityKeyIdentifier == nil)
  }
}
