// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import Testing

@Suite struct SupportedAlgorithmsTests {
  @Test func `everything is supported that every build of OpenSSL 3 has`() {
    let always: [COSEAlgorithm] = [
      .es256, .es384, .es512, .esp256, .esp384, .esp512, .eddsa, .ed25519, .ed448, .es256k, .rs256, .rs384, .rs512,
      .ps256, .ps384, .ps512, .rs1,
    ]
    #expect(Set(always).isSubset(of: SystemCrypto.supportedAlgorithms))
  }

  @Test func `ML-DSA is there as a whole or not at all`() {
    let count = supportedAlgorithms.count { $0.definition?.scheme == .mlDSA }
    #expect(count == 0 || count == 3)
  }

  @Test func `the order is that of preference, and nothing is there twice`() {
    let known = COSEAlgorithm.knownSignatureAlgorithms
    #expect(supportedAlgorithms == known.filter { supportedAlgorithms.contains($0) })
    #expect(Set(supportedAlgorithms).count == supportedAlgorithms.count)
  }
}
