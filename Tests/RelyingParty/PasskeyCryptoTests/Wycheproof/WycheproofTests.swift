// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct WycheproofTests {
  @Test(arguments: WycheproofSuite.signatures)
  func `accepts valid signatures and rejects all others`(suite: WycheproofSuite) throws {
    LibCrypto.clearErrors()
    let file = try WycheproofFile(suite.file)
    #expect(file.testGroups.reduce(0) { $0 + $1.tests.count } == suite.testCount)
    for group in file.testGroups {
      let encoding = hex(try #require(group.publicKeyDer))
      let kept = try VerifyingKey(subjectPublicKeyInfo: encoding[...], scheme: suite.scheme)
      let key = try suite.algorithm.map { try COSEKey(subjectPublicKeyInfo: encoding, algorithm: $0) }
      for test in group.tests {
        let signature = hex(test.sig)[...]
        let message = hex(test.msg)[...]
        let expected = refusalCode(test, suite)
        let label: Comment = "\(suite.file) \(test.tcId) \(test.comment)"
        #expect(
          refusal { () throws(PasskeyCryptoError) in try kept.verify(signature, over: message) } == expected, label)
        guard let key else { continue }
        #expect(
          refusal { () throws(PasskeyCryptoError) in try key.verify(signature, over: message) } == expected, label)
      }
    }
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `accepts only the PSS parameters that COSE specifies`() throws {
    let schemes: [String: COSEAlgorithm.SignatureScheme] = [
      "SHA-1": .rsaPSS(.sha1), "SHA-256": .rsaPSS(.sha256), "SHA-384": .rsaPSS(.sha384), "SHA-512": .rsaPSS(.sha512),
    ]
    var accepted = 0
    for group in try WycheproofFile("rsa_pss_misc_test.json").testGroups {
      // No scheme uses SHA-224.
      guard let scheme = schemes[try #require(group.sha)] else { continue }
      let key = try VerifyingKey(subjectPublicKeyInfo: hex(try #require(group.publicKeyDer))[...], scheme: scheme)
      let isBound = WycheproofDivergence.isCOSEsPSS(
        hash: group.sha, maskHash: group.mgfSha, saltByteCount: group.sLen)
      for test in group.tests {
        #expect(test.result == .valid)
        let outcome = refusal { () throws(PasskeyCryptoError) in try key.verify(hex(test.sig), over: hex(test.msg)) }
        #expect(outcome == (isBound ? nil : .invalidSignature), "\(test.tcId)")
        if outcome == nil { accepted += 1 }
      }
    }
    #expect(accepted == 4)
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"), arguments: WycheproofSuite.mlDSA)
  func `verifies ML-DSA`(suite: WycheproofSuite) throws {
    let algorithm = try #require(suite.algorithm)
    let file = try WycheproofFile(suite.file)
    #expect(file.testGroups.reduce(0) { $0 + $1.tests.count } == suite.testCount)
    for group in file.testGroups {
      let publicKey = try #require(group.publicKey.bytes)[...]
      guard let key = try? COSEKey(algorithm: algorithm, material: .akp(publicKey: publicKey)) else {
        #expect(group.tests.allSatisfy { $0.flags.contains("IncorrectPublicKeyLength") && $0.result == .invalid })
        continue
      }
      for test in group.tests {
        let expected = refusalCode(test, suite)
        let outcome = refusal { () throws(PasskeyCryptoError) in
          try VerifyingKey(key).verify(hex(test.sig), over: hex(test.msg))
        }
        #expect(outcome == expected, "\(suite.file) \(test.tcId) \(test.comment)")
      }
    }
  }

  /// Returns the expected error code of a test; `nil` if its signature is valid.
  private func refusalCode(_ test: WycheproofFile.Test, _ suite: WycheproofSuite) -> PasskeyCryptoError.Code? {
    let flags = Set(test.flags)
    let accepted =
      switch test.result {
      case .valid: !WycheproofDivergence.isForAnotherContext(test)
      case .invalid: WycheproofDivergence.invalidAndAccepted[suite.file]?.contains(test.tcId) ?? false
      case .acceptable: flags.isDisjoint(with: WycheproofDivergence.acceptableAndRefused)
      }
    return accepted ? nil : .invalidSignature
  }

  private func refusal(_ body: () throws(PasskeyCryptoError) -> Void) -> PasskeyCryptoError.Code? {
    do throws(PasskeyCryptoError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}
