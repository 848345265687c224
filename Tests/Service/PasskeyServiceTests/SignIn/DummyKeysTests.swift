// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct DummyKeysTests {
  private static let seed = SecretBytes(utf8: "thirty-two bytes for a test only")

  private static func response(_ signatureByteCount: Int, id: UInt8 = 1) throws -> AuthenticationResponse {
    AuthenticationResponse(
      id: try CredentialID([UInt8](repeating: id, count: 16)), clientDataJSON: [], authenticatorData: [],
      signature: [UInt8](repeating: 0x7f, count: signatureByteCount)[...])
  }

  /// The kind of key that a verification takes: its curve, or its type.
  private static func kind(_ algorithm: COSEAlgorithm) -> String {
    algorithm.definition?.curve.map { "\($0)" } ?? algorithm.definition.map { "\($0.keyType)" } ?? ""
  }

  @Test(arguments: [COSEAlgorithm.es256, .esp256, .eddsa, .es384, .ps256, .rs256])
  func `a refusal verifies once for each offered kind, whatever the stored key`(algorithm: COSEAlgorithm) throws {
    let dummies = DummyKeys([.es256, .eddsa, .es384, .ps256, .rs256], seed: Self.seed)
    let own = try SigningKey.generate(algorithm, random: .system).publicKey
    for byteCount in [64, 72, 256, 384] {
      let response = try Self.response(byteCount)
      var kinds = dummies.others(than: own, response).map(Self.kind)
      // A key of 2,048 bits refuses every other length at once.
      if own.material.keyType != .rsa || byteCount == 256 { kinds.append(Self.kind(algorithm)) }
      let first = try COSEKey(parsing: dummies.first(for: response)[...])
      let unknown = [Self.kind(first.algorithm)] + dummies.others(than: nil, response).map(Self.kind)
      #expect(kinds.sorted() == unknown.sorted())
      #expect(Set(unknown).count == unknown.count && unknown.count == 4)
    }
  }

  @Test func `an RSA dummy is as long as the signature, and each credential has one of its own`() throws {
    let dummies = DummyKeys([.rs256], seed: Self.seed)
    var moduli: Set<Bytes> = []
    for (byteCount, expected) in [(0, 256), (70, 256), (256, 256), (512, 512), (1024, 1024), (2048, 1024)] {
      for id in UInt8(1)...2 {
        let key = try COSEKey(parsing: dummies.first(for: Self.response(byteCount, id: id))[...])
        guard case .rsa(let modulus, _) = key.material else {
          Issue.record("no RSA key")
          continue
        }
        #expect(modulus.count == expected)
        moduli.insert(modulus)
      }
    }
    #expect(moduli.count == 6)
  }
}
