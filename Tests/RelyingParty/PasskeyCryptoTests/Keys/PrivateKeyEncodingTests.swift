// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import PasskeyCrypto

@Suite struct PrivateKeyEncodingTests {
  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .es256k].filter(supportedAlgorithms.contains))
  func `matches libcrypto's encoding`(algorithm: COSEAlgorithm) throws {
    for seed in 0..<20 as Range<UInt8> {
      let key = try SigningKey.generate(algorithm, random: .seeded([seed]))
      #expect(try key.pkcs8.exposedBytes == key.libcryptoEncoding)
    }
    // With the system's source, libcrypto generates the key.
    let key = try SigningKey.generate(algorithm, random: .system)
    #expect(try key.pkcs8.exposedBytes == key.libcryptoEncoding)
  }

  @Test func `pads a short scalar to the length of the coordinates`() throws {
    let key = try SigningKey(.es256, privateKey: SecretBytes([0x02]))
    #expect(try key.pkcs8.exposedBytes == key.libcryptoEncoding)
    #expect(try SigningKey(.es256, pkcs8: key.pkcs8).publicKey == key.publicKey)
  }
}

extension SigningKey {
  /// libcrypto's encoding of the key.
  fileprivate var libcryptoEncoding: [UInt8]? {
    get throws(PasskeyCryptoError) {
      guard case .libcrypto(let handle) = secret else { return nil }
      return try handle.pkcs8.exposedBytes
    }
  }
}
