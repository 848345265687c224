// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DeterministicECDSATests {
  @Test func `matches the public keys of RFC 6979`() throws {
    for vector in [RFC6979Vectors.p256, RFC6979Vectors.p384, RFC6979Vectors.p521] {
      let key = try SigningKey(vector.algorithm, privateKey: SecretBytes(vector.privateScalar))
      guard case .ec2(_, let x, let y) = key.publicKey.material else {
        Issue.record("not a key with two coordinates")
        continue
      }
      #expect(Array(x) == vector.x)
      #expect(Array(y) == vector.y)
    }
  }

  @Test func `matches the signatures of RFC 6979`() throws {
    #expect(RFC6979Vectors.signatures.count == 24)
    for vector in RFC6979Vectors.signatures {
      let key = try SigningKey(vector.key.algorithm, privateKey: SecretBytes(vector.key.privateScalar))
      let message = Array(vector.message.utf8)[...]
      let signature = try key.sign(message, scheme: .ecdsa(vector.hash), .deterministic)
      #expect(signature == der(vector.r, vector.s), "\(vector.key.algorithm) \(vector.message) \(vector.hash)")
      try VerifyingKey(key.publicKey.material, scheme: .ecdsa(vector.hash)).verify(signature, over: message)
    }
  }

  @Test func `a key uses the hash of its algorithm`() throws {
    for vector in RFC6979Vectors.signatures where vector.key.algorithm.definition?.scheme == .ecdsa(vector.hash) {
      let key = try SigningKey(vector.key.algorithm, privateKey: SecretBytes(vector.key.privateScalar))
      #expect(try key.sign(Array(vector.message.utf8), .deterministic) == der(vector.r, vector.s))
    }
  }

  @Test func `randomized signatures differ and verify`() throws {
    let key = try SigningKey(.es256, privateKey: SecretBytes(RFC6979Vectors.p256.privateScalar))
    let message = Array("sample".utf8)[...]
    let signatures = try (0..<8).map { _ in try key.sign(message) }
    #expect(Set(signatures).count == 8)
    for signature in signatures { try key.publicKey.verify(signature, over: message) }
  }

  /// Encodes a sequence of two integers by hand, independent of the encoder under test.
  private func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    let content = integer(r) + integer(s)
    return [0x30] + (content.count < 0x80 ? [] : [0x81]) + [UInt8(content.count)] + content
  }

  private func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = number.drop { $0 == 0 }
    let sign: [UInt8] = (digits.first ?? 0) < 0x80 ? [] : [0x00]
    return [0x02, UInt8(sign.count + digits.count)] + sign + digits
  }
}
