// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

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

  /// Registers below an expired intermediate authority and a batch certificate with these names, and Google's root.
  private static func trust(
    intermediate: (DERObjectIdentifier, String), batch: (DERObjectIdentifier, String)
  ) throws -> AttestationOutcome.Trust {
    var ceremony = try CeremonyForm()
    func authority(
      _ name: (DERObjectIdentifier, String), below issuer: Issuer? = nil, notAfter: UnixTime = Moment.y2040
    ) throws -> (issuer: Issuer, certificate: [UInt8]) {
      let own = Issuer(subject: [name], key: try TestKey.make(name.1))
      var form = CertificateForm(own.subject, own.key.publicKey)
      form.notAfter = notAfter
      form.extensions = [CertificateForm.basicConstraints(isAuthority: true)]
      return (own, try form.signed(by: issuer ?? own))
    }
    let root = try authority((serialNumber, "f92009e853b6b045"))
    let above = try authority(intermediate, below: root.issuer, notAfter: Moment.y2020 + .seconds(1))
    let issuer = try authority(batch, below: above.issuer)
    ceremony.policy.trustAnchors = TrustAnchors(forEverything: [try X509Certificate(der: root.certificate)])
    let leaf = try ceremony.certificate(of: ceremony.key, from: issuer.issuer) {
      $0.extensions = [KeyDescriptionForm(for: ceremony).extension]
    }
    let path = [leaf, issuer.certificate, above.certificate]
    return try ceremony.verify(
      .androidKey,
      [
        "alg": -7, "sig": .bytes(try ceremony.key.sign(ceremony.signedBytes[...])),
        "x5c": .array(path.map { .bytes($0) }),
      ]
    ).trust
  }

  private static let serialNumber: DERObjectIdentifier = [2, 5, 4, 5]

  @Test func `the number of the intermediate authority shows the factory`() throws {
    let number = (Self.serialNumber, "87f4514475ba0a2b")
    let name = (DERObjectIdentifier.commonName, "Authority")
    #expect(try Self.trust(intermediate: number, batch: name).kind == .anchored)
    #expect(try Self.trust(intermediate: name, batch: number).kind == .unanchored)
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
