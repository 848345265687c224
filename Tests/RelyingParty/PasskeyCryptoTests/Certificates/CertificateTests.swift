// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CertificateTests {
  private func form() throws -> CertificateForm {
    var form = try CertificateForm(of: "Leaf", key: TestKey.make("Leaf"), from: "Root")
    form.extensions = [CertificateForm.keyUsage([0])]
    return form
  }

  private func certificate(_ corrupt: (inout CertificateForm) throws -> Void) throws -> X509Certificate {
    var form = try form()
    try corrupt(&form)
    return try form.certificate(signedBy: TestKey.make("Root"))
  }

  @Test func `reads every field`() throws {
    let key = try TestKey.make("Leaf")
    let certificate = try certificate {
      $0.serialNumber = [0x00, 0xff, 0x01]
      $0.issuer = CertificatePart.name([[(.countryName, "US")], [(.organizationName, "Example")]])
    }
    #expect(certificate.version == 3)
    #expect(certificate.serialNumber == [0x00, 0xff, 0x01])
    #expect(certificate.issuer.description == "O=Example,C=US")
    #expect(certificate.subject.commonName == "Leaf")
    #expect(certificate.notBefore == Moment.y2020)
    #expect(certificate.notAfter == Moment.y2040)
    #expect(try Array(certificate.subjectPublicKeyInfo.encoded) == key.publicKey.subjectPublicKeyInfo)
    #expect(certificate.signatureAlgorithm == [1, 2, 840, 10045, 4, 3, 2])
    #expect(certificate.extensions.map(\.identifier) == [.keyUsage])
    #expect(!certificate.isSelfIssued)
    #expect(certificate.sha256Fingerprint == Digest.sha256(certificate.der))
    #expect(certificate.description == "CN=Leaf (issued by O=Example,C=US)")
  }

  @Test func `the key of a certificate verifies signatures of its private key`() throws {
    let key = try TestKey.make("Leaf")
    let certificate = try certificate { _ in }
    let message: Bytes = [1, 2, 3]
    try VerifyingKey(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded, algorithm: .es256)
      .verify(key.sign(message), over: message)
  }

  @Test(arguments: [Int64(1), 2, 3])
  func `accepts versions 1 to 3, including an encoded default`(version: Int64) throws {
    let certificate = try certificate {
      $0.version = version
      $0.extensions = []
    }
    #expect(certificate.version == Int(version))
    #expect(certificate.extensions.isEmpty)
  }

  @Test func `rejects an unknown version`() {
    expect(.certificateMalformed, "der.integer-out-of-range at offset ") { try certificate { $0.version = 4 } }
  }

  @Test func `extensions need version three`() {
    expect(.certificateMalformed, "extensions in version 1") { try certificate { $0.version = 1 } }
  }

  @Test func `inner and outer signature algorithms must match`() {
    expect(.certificateMalformed, "inner and outer signature algorithms differ") {
      try certificate { $0.innerAlgorithm = SignatureForm.ecdsaWithSHA1.identifier }
    }
  }

  @Test func `rejects a duplicate extension`() {
    expect(.certificateDuplicateExtension, "2.5.29.15") {
      try certificate { $0.extensions.append(CertificateForm.keyUsage([1])) }
    }
  }

  @Test func `rejects too many extensions`() throws {
    let extensions = (0..<33).map { number in CertificatePart.extension([1, 2, number]) { $0.writeNull() } }
    #expect(try certificate { $0.extensions = Array(extensions.prefix(32)) }.extensions.count == 32)
    expect(.certificateMalformed, "der.length-exceeds-input") { try certificate { $0.extensions = extensions } }
  }

  @Test func `rejects trailing bytes and oversized input`() throws {
    let der = try form().signed(by: TestKey.make("Root"))
    expect(.certificateMalformed, "der.trailing-bytes at offset \(der.count)") {
      try X509Certificate(der: der + [0x00])
    }
    expect(.certificateMalformed, "der.truncated at offset 0") { try X509Certificate(der: []) }
    expect(.certificateMalformed, "65537 bytes") { try X509Certificate(der: [UInt8](repeating: 0, count: 65537)) }
  }

  @Test func `reads concatenated certificates`() throws {
    let first = try certificate { _ in }
    let second = try certificate { $0.serialNumber = [0x2b] }
    #expect(try X509Certificate.readAll(der: first.der) == [first])
    #expect(try X509Certificate.readAll(der: Array(first.der) + second.der) == [first, second])
    expect(.certificateMalformed, "der.truncated at offset \(first.der.count + 1)") {
      try X509Certificate.readAll(der: Array(first.der) + [0x30])
    }
    expect(.certificateMalformed, "der.truncated at offset 0") { try X509Certificate.readAll(der: []) }
  }

  @Test func `rejects a malformed extension that validation uses`() {
    for identifier in [DERObjectIdentifier.basicConstraints, .keyUsage, .extendedKeyUsage] {
      expect(.certificateMalformed, "der.unexpected-tag") {
        try certificate { $0.extensions = [CertificatePart.extension(identifier) { $0.writeNull() }] }
      }
    }
  }

  @Test func `certificates are equal if their bytes are`() throws {
    let der = try form().signed(by: TestKey.make("Root"))
    let other = try certificate { $0.serialNumber = [0x2b] }
    #expect(try X509Certificate(der: der) == X509Certificate(der: ([0x00] + der)[1...]))
    #expect(try X509Certificate(der: der) != other)
    #expect(try Set([X509Certificate(der: der), X509Certificate(der: der), other]).count == 2)
  }

  @Test func `accepts an encoded default of CA`() throws {
    let certificate = try certificate {
      $0.extensions = [
        CertificatePart.extension(.basicConstraints) { $0.writeSequence { $0.writeBoolean(false) } }
      ]
    }
    #expect(certificate.basicConstraints?.isAuthority == false)
    #expect(!certificate.isCertificateAuthority)
  }

  @Test func `accepts 01 as true, as in AuthenTrend's ATKey`() throws {
    // Extension { basicConstraints, critical 01, { cA 01 } }
    let certificate = try certificate { $0.extensions = [hex("300f 0603551d13 010101 0405 3003 010101")] }
    #expect(certificate.isCertificateAuthority)
    #expect(certificate.extension(.basicConstraints)?.isCritical == true)
    for digits in ["300e 0603551d13 0100 0405 3003 010101", "3010 0603551d13 01020001 0405 3003 010101"] {
      expect(.certificateMalformed, "der.invalid-boolean") {
        try self.certificate { $0.extensions = [hex(digits)] }
      }
    }
  }

  @Test func `accepts a policy qualifier that is not DER`() throws {
    let certificate = try certificate {
      $0.extensions = [
        CertificatePart.extension(.certificatePolicies, isCritical: true) {
          $0.write(encoded: hex("3003 0402 ff"))
        }
      ]
    }
    #expect(certificate.extension(.certificatePolicies)?.value == hex("3003 0402 ff")[...])
  }

  @Test func `accepts unused bits in the signature`() throws {
    let root = try TestAuthority.root()
    let leaf = try root.leaf { $0.unusedBits = 3 }
    let path = try TrustStore([root.certificate]).validate(leaf, at: Moment.y2030)
    #expect(path.anchor == root.certificate)
  }

  @Test func `rejects an empty signature`() throws {
    var reader = DERReader(try certificate { _ in }.der)
    let signed = try reader.readElement().readContent { (reader) throws(WireError) in
      let signed = try reader.readElement()
      _ = try (reader.readElement(), reader.readElement())
      return signed
    }
    var writer = DERWriter()
    writer.writeSequence {
      $0.write(encoded: signed.encoded)
      $0.write(encoded: SignatureForm.ecdsaWithSHA256.identifier)
      $0.write(.bitString, content: [])
    }
    expect(.certificateMalformed, "der.invalid-bit-string") { try X509Certificate(der: writer.bytes) }
  }
}
