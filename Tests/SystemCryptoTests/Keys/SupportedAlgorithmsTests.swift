// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import Testing

@Suite struct SupportedAlgorithmsTests {
  @Test func `supports every algorithm of all OpenSSL 3 builds`() {
    let always: [COSEAlgorithm] = [
      .es256, .es384, .es512, .esp256, .esp384, .esp512, .eddsa, .ed25519, .ed448, .es256k, .rs256, .rs384, .rs512,
      .ps256, .ps384, .ps512, .rs1,
    ]
    #expect(Set(always).isSubset(of: SystemCrypto.supportedAlgorithms))
  }

  @Test func `supports all ML-DSA parameter sets or none`() {
    let count = supportedAlgorithms.count { $0.definition?.scheme == .mlDSA }
    #expect(count == 0 || count == 3)
  }

  @Test func `lists algorithms by preference, without duplicates`() {
    let known = COSEAlgorithm.knownSignatureAlgorithms
    #expect(supportedAlgorithms == known.filter { supportedAlgorithms.contains($0) })
    #expect(Set(supportedAlgorithms).count == supportedAlgorithms.count)
  }
}
