// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A signature algorithm of certificates, with its DER identifier.
struct SignatureForm: Sendable {
  let identifier: [UInt8]
  let scheme: COSEAlgorithm.SignatureScheme

  static let ecdsaWithSHA1 = Self(identifier: hex("300906072a8648ce3d0401"), scheme: .ecdsa(.sha1))
  static let ecdsaWithSHA256 = Self(identifier: hex("300a06082a8648ce3d040302"), scheme: .ecdsa(.sha256))
  static let ecdsaWithSHA384 = Self(identifier: hex("300a06082a8648ce3d040303"), scheme: .ecdsa(.sha384))
  static let ecdsaWithSHA512 = Self(identifier: hex("300a06082a8648ce3d040304"), scheme: .ecdsa(.sha512))
  static let rsaWithSHA1 = Self(identifier: hex("300d06092a864886f70d0101050500"), scheme: .rsaPKCS1(.sha1))
  static let rsaWithSHA256 = Self(identifier: hex("300d06092a864886f70d01010b0500"), scheme: .rsaPKCS1(.sha256))
  static let rsaWithSHA384 = Self(identifier: hex("300d06092a864886f70d01010c0500"), scheme: .rsaPKCS1(.sha384))
  static let rsaWithSHA512 = Self(identifier: hex("300d06092a864886f70d01010d0500"), scheme: .rsaPKCS1(.sha512))
  static let ed25519 = Self(identifier: hex("300506032b6570"), scheme: .eddsa)
  static let ed448 = Self(identifier: hex("300506032b6571"), scheme: .eddsa)
  static let pssWithSHA256 = Self(
    identifier: hex(
      """
      304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d0609608648016503
      0402010500a203020120
      """), scheme: .rsaPSS(.sha256))

  /// Signs an element and encodes it as a certificate or revocation list.
  func frame(_ content: [UInt8], signedBy key: SigningKey, unusedBits: UInt8 = 0) throws -> [UInt8] {
    let signature = try key.sign(content[...], scheme: scheme, .deterministic)
    var writer = DERWriter()
    writer.writeSequence {
      $0.write(encoded: content)
      $0.write(encoded: identifier)
      $0.write(.bitString, content: [unusedBits] + signature)
    }
    return writer.bytes
  }
}

/// Test keys, the same in every run.
enum TestKey {
  static func make(_ label: String, _ algorithm: COSEAlgorithm = .es256) throws -> SigningKey {
    try SigningKey.generate(algorithm, random: .seeded(Array("keys of tests".utf8), label: label))
  }
}
