// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import TestSupport
import Testing
import WireFormats

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The standard's own vectors and those of five peers.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct SharedCasesTests {
  static let files = [
    "w3c-level3.json", "peers/go-webauthn.json", "peers/java-webauthn-server.json", "peers/webauthn-ruby.json",
    "peers/webauthn-swift.json", "peers/webauthn4j.json",
  ]

  @Test(arguments: files) func `every case behaves as expected, but for what is listed with its reason`(
    file: String
  ) throws {
    let cases = try CaseFile.cases(in: SharedVectors.bytes(file)[...])
    #expect(!cases.isEmpty)
    for recorded in cases {
      let verdict = CaseVerdict(of: recorded, now: Timestamp(secondsSince1970: 1_780_000_000))
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      if let divergence = CaseDivergence.of(recorded) {
        // One that behaves as expected after all is no divergence any more.
        #expect(verdict.refusal?.code == divergence.code, "\(recorded.id): \(divergence.reason)")
      } else {
        #expect(comparison.isAsExpected, "\(recorded.id): \(comparison.differences)")
      }
    }
  }
}
