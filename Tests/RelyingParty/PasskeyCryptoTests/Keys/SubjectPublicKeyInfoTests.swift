// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SubjectPublicKeyInfoTests {
  @Test(arguments: supportedAlgorithms)
  func `a key survives a round trip`(algorithm: COSEAlgorithm) throws {
    let key = try TestKeys.key(algorithm)
    let encoding = try key.publicKey.subjectPublicKeyInfo
    #expect(try COSEKey(subjectPublicKeyInfo: encoding, algorithm: algorithm) == key.publicKey)
    let kept = try VerifyingKey(subjectPublicKeyInfo: encoding, algorithm: algorithm)
    try kept.verify(key.sign([0x01]), over: [0x01])
  }

  @Test(arguments: supportedAlgorithms)
  func `matches libcrypto's encoding`(algorithm: COSEAlgorithm) throws {
    // There is nothing to compare with.
    if algorithm.definition?.scheme == .mlDSA, MLDSAImplementation.current == .builtIn { return }
    let key = try TestKeys.key(algorithm).publicKey
    #expect(try key.subjectPublicKeyInfo == LibCrypto.subjectPublicKeyInfo(of: key.material))
  }

  @Test func `parsed slices share the storage of the encoding`() throws {
    let encoding = [0xff] + (try TestKeys.key(.es256).publicKey.subjectPublicKeyInfo)
    let key = try COSEKey(subjectPublicKeyInfo: encoding[1...], algorithm: .es256)
    guard case .ec2(_, let x, let y) = key.material else {
      Issue.record("not a key with two coordinates")
      return
    }
    #expect(x.indices == encoding.count - 64..<encoding.count - 32)
    #expect(y.indices == encoding.count - 32..<encoding.count)
  }

  @Test(arguments: supportedAlgorithms)
  func `rejects any other encoding`(algorithm: COSEAlgorithm) throws {
    let encoding = try TestKeys.key(algorithm).publicKey.subjectPublicKeyInfo
    let refused = PasskeyCryptoError(.malformedKey, "unknown key type or non-canonical encoding")
    for count in 0..<min(encoding.count, 60) {
      #expect(throws: refused) { try COSEKey(subjectPublicKeyInfo: encoding.prefix(count), algorithm: algorithm) }
    }
    #expect(throws: refused) { try COSEKey(subjectPublicKeyInfo: encoding.dropLast(), algorithm: algorithm) }
    #expect(throws: refused) { try COSEKey(subjectPublicKeyInfo: encoding[...] + [0x00], algorithm: algorithm) }
    // The first 12 bytes contain the header of every key type.
    for index in 0..<12 {
      var changed = encoding
      changed[index] ^= 0x01
      #expect(throws: refused) { try COSEKey(subjectPublicKeyInfo: changed, algorithm: algorithm) }
    }
  }

  @Test func `rejects a compressed point`() throws {
    guard case .ec2(_, let x, _) = try TestKeys.key(.es256).publicKey.material else {
      Issue.record("not a key with two coordinates")
      return
    }
    let encoding = hex("3039301306072a8648ce3d020106082a8648ce3d03010703220002") + x
    #expect(throws: PasskeyCryptoError(.malformedKey, "unknown key type or non-canonical encoding")) {
      try COSEKey(subjectPublicKeyInfo: encoding, algorithm: .es256)
    }
  }

  @Test func `reads a key only for its own algorithm`() throws {
    for (made, read) in [
      (COSEAlgorithm.es256, COSEAlgorithm.es384), (.es256, .es256k), (.es256, .rs256), (.eddsa, .ed448),
      (.rs256, .es256),
    ] {
      let encoding = try TestKeys.key(made).publicKey.subjectPublicKeyInfo
      #expect {
        try VerifyingKey(subjectPublicKeyInfo: encoding, algorithm: read)
      } throws: { (error) in
        (error as? PasskeyCryptoError)?.code == .keyMismatch
      }
    }
  }

  @Test func `rejects an RSA key too short for COSE`() {
    let encoding =
      hex("30819f300d06092a864886f70d010101050003818d0030818902818100") + [UInt8](repeating: 0xff, count: 128)
      + hex("0203010001")
    #expect(throws: PasskeyCryptoError(.keyMismatch, "cose.invalid-modulus in parameter -1 at offset 29")) {
      try COSEKey(subjectPublicKeyInfo: encoding, algorithm: .rs256)
    }
  }
}
