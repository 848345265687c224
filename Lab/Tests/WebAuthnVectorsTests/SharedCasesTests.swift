// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Judges the standard's vectors and those of five other projects.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct SharedCasesTests {
  static let files = [
    "w3c-level3.json", "peers/go-webauthn.json", "peers/java-webauthn-server.json", "peers/webauthn-ruby.json",
    "peers/webauthn-swift.json", "peers/webauthn4j.json",
  ]

  @Test(arguments: files) func `every case has the expected verdict, except the listed divergences`(
    file: String
  ) throws {
    let cases = try CaseFile.cases(in: SharedVectors.bytes(file)[...])
    #expect(!cases.isEmpty)
    for recorded in cases {
      let verdict = CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 1_780_000_000))
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      if let divergence = CaseDivergence.of(recorded) {
        // A listed case with the expected verdict fails the test, so the list stays current.
        #expect(verdict.refusal?.code == divergence.code, "\(recorded.id): \(divergence.reason)")
      } else {
        #expect(comparison.isAsExpected, "\(recorded.id): \(comparison.differences)")
      }
    }
  }
}

/// A third-party case on which our verdict differs from the expectation, with the reason.
struct CaseDivergence {
  let code: String
  let reason: String

  static func of(_ recorded: VerificationCase) -> Self? {
    listed[recorded.id]
  }

  private static let listed = [
    "java-webauthn-server/android-safetynet/BasicAttestation": Self(
      code: "registration.attestation-invalid",
      reason: "the response was made in 2022 and the case judges it in 2018, but §8.5 requires a recent response")
  ]
}
