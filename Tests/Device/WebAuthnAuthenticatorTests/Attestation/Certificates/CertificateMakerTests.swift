// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator

struct CertificateMakerTests {
  static let validity = UnixTime(secondsSince1970: 0)...UnixTime(secondsSince1970: 4_000_000_000)

  static func issuer(_ algorithm: COSEAlgorithm) throws -> CertificateIssuer {
    CertificateIssuer(
      name: CertificateName(.init(.countryName, "SE"), .init(.commonName, "Root")),
      key: try SigningKey.generate(algorithm, random: .seeded(hex("02")[...])))
  }

  static let algorithms: [COSEAlgorithm] = [
    .es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256, .rs384, .rs512,
  ]

  @Test(arguments: algorithms) func `a path leads from a leaf to the root that signed it`(
    _ algorithm: COSEAlgorithm
  ) throws {
    let issuer = try Self.issuer(algorithm)
    let key = try SigningKey.generate(.es256, random: .seeded(hex("03")[...]))
    let root = try issuer.root(serialNumber: [1], validity: Self.validity).certificate(signedBy: issuer.key)
    let leaf = try issuer.leaf(
      CertificateName(.init(.commonName, "Leaf")), publicKey: key.publicKey, serialNumber: [0xff, 2],
      validity: Self.validity
    ).certificate(signedBy: issuer.key)

    let certificate = try X509Certificate(der: leaf[...])
    let path = try TrustStore([X509Certificate(der: root[...])]).validate(
      certificate, at: UnixTime(secondsSince1970: 1_700_000_000))
    #expect(path.certificates.count == 2)
    #expect(certificate.serialNumber == [0x00, 0xff, 2])
    #expect(certificate.notBefore == Self.validity.lowerBound)
    #expect(certificate.notAfter == Self.validity.upperBound)
    #expect(certificate.keyUsage == .digitalSignature)
    #expect(certificate.subject.commonName == "Leaf")
    #expect(certificate.issuer.country == "SE")
  }

  @Test func `an algorithm without a certificate identifier is refused`() throws {
    let issuer = try Self.issuer(.ps256)
    let error = #expect(throws: PasskeyCryptoError.self) {
      _ = try issuer.root(serialNumber: [1], validity: Self.validity).certificate(signedBy: issuer.key)
    }
    #expect(error?.code == .unsupportedAlgorithm)
  }

  @Test func `a date that certificates cannot express is refused`() throws {
    let issuer = try Self.issuer(.es256)
    let endless = UnixTime(secondsSince1970: 0)...UnixTime(secondsSince1970: .max)
    let error = #expect(throws: PasskeyCryptoError.self) {
      _ = try issuer.root(serialNumber: [1], validity: endless).certificate(signedBy: issuer.key)
    }
    #expect(error?.code == .invalidParameter)
    #expect(error?.wireError?.code == .timeInvalid)
  }

  @Test func `an authority's path length is written and read`() throws {
    let issuer = try Self.issuer(.es256)
    var maker = try issuer.authority(
      CertificateName(.init(.commonName, "Below")), publicKey: issuer.key.publicKey, serialNumber: [1],
      validity: Self.validity)
    maker.extensions[0] = .basicConstraints(isAuthority: true, pathLength: 3)
    let certificate = try X509Certificate(der: maker.certificate(signedBy: issuer.key)[...])
    #expect(certificate.basicConstraints?.pathLength == 3)
    #expect(certificate.isCertificateAuthority)
  }
}
