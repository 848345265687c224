// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SigningKeyPKCS8Tests {
  @Test(arguments: supportedAlgorithms)
  func `a key survives a round trip`(algorithm: COSEAlgorithm) throws {
    let key = try TestKeys.key(algorithm)
    let encoding = try key.pkcs8
    let again = try SigningKey(algorithm, pkcs8: encoding)
    #expect(again.publicKey == key.publicKey)
    #expect(try again.pkcs8 == encoding)
    #expect(try again.sign([0x01], .deterministic) == key.sign([0x01], .deterministic))
  }

  @Test func `reads the example of RFC 8410`() throws {
    let encoding = hex(
      "302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842")
    let key = try SigningKey(.ed25519, pkcs8: SecretBytes(encoding))
    let publicKey = hex("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
    #expect(key.publicKey.material == .okp(curve: .ed25519, x: publicKey[...]))
    #expect(try key.pkcs8.exposedBytes == encoding)
  }

  @Test func `reads a key only for its own algorithm`() throws {
    for (made, read) in [
      (COSEAlgorithm.es256, COSEAlgorithm.es384), (.es256, .es256k), (.es256, .rs256), (.eddsa, .ed448),
      (.eddsa, .es256),
      (.rs256, .eddsa),
    ] {
      let encoding = try TestKeys.key(made).pkcs8
      #expect(throws: PasskeyCryptoError(.keyMismatch, "the key type does not match \(read)")) {
        try SigningKey(read, pkcs8: encoding)
      }
    }
  }

  @Test func `another algorithm of the same key type can read a key`() throws {
    let key = try TestKeys.key(.rs256)
    let other = try SigningKey(.ps384, pkcs8: key.pkcs8)
    #expect(other.publicKey.material == key.publicKey.material)
    #expect(other.algorithm == .ps384)
  }

  @Test(arguments: [COSEAlgorithm.es256, .eddsa, .rs256])
  func `rejects truncated, extended and malformed keys`(algorithm: COSEAlgorithm) throws {
    LibCrypto.clearErrors()
    let encoding = try TestKeys.key(algorithm).pkcs8.exposedBytes
    for bytes in [[], [0x30], encoding.dropLast(), encoding.dropFirst(), encoding[...] + [0x00]] as [Bytes] {
      #expect {
        try SigningKey(algorithm, pkcs8: SecretBytes(bytes))
      } throws: { (error) in
        (error as? PasskeyCryptoError)?.code == .malformedKey
      }
    }
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test func `ignores an encoded public key that does not match`() throws {
    let key = try TestKeys.key(.es256)
    var encoding = try key.pkcs8.exposedBytes
    let other = try SigningKey(.es256, privateKey: SecretBytes([0x02]))
    guard case .ec2(_, let x, let y) = other.publicKey.material else {
      Issue.record("not a key with two coordinates")
      return
    }
    encoding.replaceSubrange(encoding.count - 64..<encoding.count, with: x + y)
    #expect(try SigningKey(.es256, pkcs8: SecretBytes(encoding)).publicKey == key.publicKey)
  }
}
