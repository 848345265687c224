// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import Testing

@Suite struct SupportedAlgorithmsTests {
  @Test func `supports every algorithm of all OpenSSL 3 builds`() {
    let always: [COSEAlgorithm] = [
      .es256, .es384, .es512, .esp256, .esp384, .esp512, .eddsa, .ed25519, .ed448, .es256k, .rs256, .rs384, .rs512,
      .ps256, .ps384, .ps512, .rs1,
    ]
    #expect(Set(always).isSubset(of: PasskeyCrypto.supportedAlgorithms))
  }

  @Test func `supports every ML-DSA parameter set, whatever the libcrypto`() {
    #expect(Set([.mlDSA44, .mlDSA65, .mlDSA87]).isSubset(of: PasskeyCrypto.supportedAlgorithms))
  }

  @Test func `lists algorithms by preference, without duplicates`() {
    let known = COSEAlgorithm.knownSignatureAlgorithms
    #expect(supportedAlgorithms == known.filter { supportedAlgorithms.contains($0) })
    #expect(Set(supportedAlgorithms).count == supportedAlgorithms.count)
  }
}
