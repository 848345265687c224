// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The algorithm and key format of a Wycheproof file.
struct WycheproofSuite: Sendable, CustomTestStringConvertible {
  let file: String
  let scheme: COSEAlgorithm.SignatureScheme
  /// The COSE algorithm of the scheme, if there is one.
  let algorithm: COSEAlgorithm?
  /// The number of tests in the file, to detect skipped tests.
  let testCount: Int

  init(_ file: String, _ scheme: COSEAlgorithm.SignatureScheme, _ algorithm: COSEAlgorithm?, _ testCount: Int) {
    self.file = file
    self.scheme = scheme
    self.algorithm = algorithm
    self.testCount = testCount
  }

  var testDescription: String { file }

  /// Our own files and, where they are present, Wycheproof's.
  static let signatures = own + (SharedVectors.arePresent ? shared : [])

  private static let own: [WycheproofSuite] = [
    Self("Vectors/codecs/ecdsa-es256.json", .ecdsa(.sha256), .es256, 33),
    Self("Vectors/codecs/ecdsa-es384.json", .ecdsa(.sha384), .es384, 33),
    Self("Vectors/codecs/ecdsa-es512.json", .ecdsa(.sha512), .es512, 33),
  ]

  private static let shared: [WycheproofSuite] = [
    Self("ecdsa_secp256r1_sha256_test.json", .ecdsa(.sha256), .es256, 484),
    Self("ecdsa_secp256r1_sha512_test.json", .ecdsa(.sha512), nil, 554),
    Self("ecdsa_secp384r1_sha256_test.json", .ecdsa(.sha256), nil, 472),
    Self("ecdsa_secp384r1_sha384_test.json", .ecdsa(.sha384), .es384, 504),
    Self("ecdsa_secp384r1_sha512_test.json", .ecdsa(.sha512), nil, 542),
    Self("ecdsa_secp521r1_sha512_test.json", .ecdsa(.sha512), .es512, 542),
    Self("ecdsa_secp256k1_sha256_test.json", .ecdsa(.sha256), .es256k, 476),
    Self("ecdsa_secp256k1_sha256_bitcoin_test.json", .ecdsa(.sha256), .es256k, 463),
    Self("ed25519_test.json", .eddsa, .eddsa, 151),
    Self("ed448_test.json", .eddsa, .ed448, 87),
    Self("rsa_signature_2048_sha256_test.json", .rsaPKCS1(.sha256), .rs256, 259),
    Self("rsa_signature_2048_sha384_test.json", .rsaPKCS1(.sha384), .rs384, 258),
    Self("rsa_signature_2048_sha512_test.json", .rsaPKCS1(.sha512), .rs512, 259),
    Self("rsa_signature_3072_sha256_test.json", .rsaPKCS1(.sha256), .rs256, 259),
    Self("rsa_signature_3072_sha384_test.json", .rsaPKCS1(.sha384), .rs384, 259),
    Self("rsa_signature_3072_sha512_test.json", .rsaPKCS1(.sha512), .rs512, 260),
    Self("rsa_signature_4096_sha256_test.json", .rsaPKCS1(.sha256), .rs256, 258),
    Self("rsa_signature_4096_sha384_test.json", .rsaPKCS1(.sha384), .rs384, 259),
    Self("rsa_signature_4096_sha512_test.json", .rsaPKCS1(.sha512), .rs512, 259),
    Self("rsa_pss_2048_sha256_mgf1_32_test.json", .rsaPSS(.sha256), .ps256, 108),
    Self("rsa_pss_2048_sha384_mgf1_48_test.json", .rsaPSS(.sha384), .ps384, 141),
    Self("rsa_pss_3072_sha256_mgf1_32_test.json", .rsaPSS(.sha256), .ps256, 108),
    Self("rsa_pss_4096_sha256_mgf1_32_test.json", .rsaPSS(.sha256), .ps256, 108),
    Self("rsa_pss_4096_sha384_mgf1_48_test.json", .rsaPSS(.sha384), .ps384, 141),
    Self("rsa_pss_4096_sha512_mgf1_64_test.json", .rsaPSS(.sha512), .ps512, 179),
  ]

  static let mlDSA: [WycheproofSuite] = [
    Self("mldsa_44_verify_test.json", .mlDSA, .mlDSA44, 180),
    Self("mldsa_65_verify_test.json", .mlDSA, .mlDSA65, 210),
    Self("mldsa_87_verify_test.json", .mlDSA, .mlDSA87, 241),
  ]
}
