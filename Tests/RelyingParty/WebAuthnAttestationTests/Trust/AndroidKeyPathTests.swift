// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing
import WebAuthnAttestation

/// The tolerances of a path to one of Google's roots. `Vectors/attestation-android-chains.json` has all shapes.
@Suite struct AndroidKeyPathTests {
  private static func outcome(
    _ name: String, _ change: (inout AttestationPolicy) -> Void = { _ in }
  ) throws -> AttestationOutcome {
    let registration = try RegistrationCase.named("attestation-android-chains/\(name)")
    var policy = registration.policy
    change(&policy)
    return try registration.verify(policy)
  }

  @Test(
    arguments: [
      ("factory", []), ("remote", []), ("leaf-not-yet-valid", [.leafNotYetValid]), ("leaf-expired", [.leafExpired]),
      ("remote-leaf-not-yet-valid", [.leafNotYetValid]), ("factory-expired", [.authorityExpired]),
      ("factory-batch-not-an-authority", [.issuerNotAuthority]),
      ("factory-of-2016-and-leaf-expired", [.leafExpired, .authorityExpired, .issuerNotAuthority]),
    ] as [(String, [PathTolerance])])
  func `the outcome lists the tolerated deviations`(name: String, tolerances: [PathTolerance]) throws {
    let outcome = try Self.outcome(name)
    #expect(outcome.trust.kind == .anchored)
    #expect(outcome.tolerances == tolerances)
  }

  @Test func `the trust says what was tolerated`() throws {
    #expect(
      "\(try Self.outcome("factory-of-2016").trust)" == """
        anchored to serialNumber=f92009e853b6b045, although an authority has expired and the leaf's issuer is not a \
        certificate authority
        """)
    #expect("\(try Self.outcome("factory").trust)" == "anchored to serialNumber=f92009e853b6b045")
  }

  @Test(arguments: ["leaf-not-yet-valid", "leaf-expired", "factory-expired", "factory-batch-not-an-authority"])
  func `the strict policy tolerates nothing`(name: String) throws {
    let outcome = try Self.outcome(name) {
      $0.androidKeyPath = .requiringValidDatesAndMarkedAuthorities
      $0.acceptableTrust = .anything
    }
    #expect(outcome.trust.kind == .unanchored)
    #expect(outcome.tolerances == [])
  }

  @Test func `the roots of the vectors have the names of Google's roots`() throws {
    let names = Set(PublishedRoot.all.filter { $0.group == .google }.map(\.certificate.subject))
    for name in ["factory", "remote"] {
      guard case .anchored(let root, _) = try Self.outcome(name).trust else {
        Issue.record("\(name) is not anchored")
        continue
      }
      #expect(names.contains(root.subject))
    }
    #expect(names.count == 2)
  }

  @Test func `a revoked certificate outranks the tolerances`() throws {
    let list = try AttestationStatusList(json: [UInt8](#"{"entries":{"11":{"status":"REVOKED"}}}"#.utf8))
    expect(.certificateRevoked) {
      try Self.outcome("factory-of-2016") {
        $0.statusLists = [list]
        $0.acceptableTrust = .anything
      }
    }
  }

  @Test func `a path without deviations does not depend on the policy`() throws {
    #expect(try Self.outcome("remote") { $0.androidKeyPath = .asGoogleVerifies }.trust.kind == .anchored)
    #expect(
      try Self.outcome("remote") { $0.androidKeyPath = .requiringValidDatesAndMarkedAuthorities }.trust.kind
        == .anchored)
  }
}
