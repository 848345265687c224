// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import Testing

@Suite struct COSEAlgorithmTests {
  @Test func `an unknown number is a valid value without a definition`() {
    let unknown = COSEAlgorithm(rawValue: -4242)
    #expect(unknown.definition == nil)
    #expect(unknown.description == "-4242")
  }

  @Test func `every signature algorithm is listed once and has a key type`() {
    let known = COSEAlgorithm.knownSignatureAlgorithms
    #expect(Set(known).count == known.count)
    #expect(known.count == 20)
    for algorithm in known {
      #expect(algorithm.definition?.scheme != .keyAgreement, "\(algorithm)")
      #expect(
        algorithm.definition?.curve == nil || algorithm.definition?.curve?.keyType == algorithm.definition?.keyType)
    }
  }
}
