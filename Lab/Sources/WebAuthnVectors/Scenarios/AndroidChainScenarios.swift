// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection

/// Chains like those of real Android devices: what a path to one of Google's roots tolerates, and where it does not.
enum AndroidChainScenarios {
  static var all: [RegistrationScenario] { leaves + factory + remote + strict }

  /// Makes a scenario whose relying party trusts the root of the chain.
  private static func chain(
    _ name: String, _ chain: AndroidChain, for algorithm: COSEAlgorithm = .es256,
    by attestation: AttestationKind? = nil, _ faults: Fault...,
    configure: @escaping @Sendable (inout CaseSettings) throws(PasskeyCryptoError) -> Void = { _ in }
  ) -> RegistrationScenario {
    RegistrationScenario(
      "attestation-android-chains/\(name)", algorithm, attestation ?? .androidKeyBelow(chain), faults
    )
    .configuring { (settings) throws(PasskeyCryptoError) in
      settings.trustAnchors = [try chain.anchor()]
      if chain.validity == AndroidChain.firstTenYears { settings.time = AndroidChain.timeAfter }
      try configure(&settings)
    }
  }

  // MARK: Dates of the leaf

  private static var leaves: [RegistrationScenario] {
    [
      chain("leaf-not-yet-valid", .factory, .certificateNotYetValid).tolerating(.leafNotYetValid),
      chain("leaf-expired", .factory, .certificateExpired).tolerating(.leafExpired),
      chain("leaf-not-yet-valid-below-another-root", .factory.belowAnotherRoot, .certificateNotYetValid)
        .unanchored("certificate.not-yet-valid"),
      chain("leaf-expired-below-another-root", .factory.belowAnotherRoot, .certificateExpired)
        .unanchored("certificate.expired"),
    ]
  }

  // MARK: Provisioned in the factory

  private static var factory: [RegistrationScenario] {
    [
      chain("factory", .factory),
      chain("factory-batch-not-an-authority", .factory.with(unmarked: AndroidChain.batch))
        .tolerating(.issuerNotAuthority),
      chain("factory-expired", .factory.from2016).tolerating(.authorityExpired),
      chain("factory-of-2016", .oldFactory).tolerating(.authorityExpired, .issuerNotAuthority),
      chain("factory-of-2016-and-leaf-expired", .oldFactory, .certificateExpired)
        .tolerating(.leafExpired, .authorityExpired, .issuerNotAuthority),
      chain("factory-of-2016-with-its-own-root", .oldFactory) { (settings) throws(PasskeyCryptoError) in
        settings.trustAnchors = [try AndroidChain.oldFactory.anchor(validity: AndroidChain.firstTenYears)]
      }
      .tolerating(.authorityExpired, .issuerNotAuthority),
      chain("factory-of-2016-with-ml-dsa", .oldFactory, for: .mlDSA65)
        .tolerating(.authorityExpired, .issuerNotAuthority),
      chain("factory-not-yet-valid", .factory.from2016) { (settings) in
        settings.time = AndroidChain.firstTenYears.lowerBound - .seconds(86_400)
      }
      .unanchored("certificate.not-yet-valid", because: "the authorities above the leaf are not valid yet"),
      chain("factory-expired-below-another-root", .factory.from2016.belowAnotherRoot)
        .unanchored("certificate.expired", because: "the chain has expired and does not end at a root of Google"),
      chain(
        "factory-batch-not-an-authority-below-another-root",
        .factory.with(unmarked: AndroidChain.batch).belowAnotherRoot
      )
      .unanchored(
        "certificate.not-an-authority",
        because: "the batch certificate is not one of an authority, and the root is not one of Google's"),
      chain("factory-intermediate-not-an-authority", .factory.with(unmarked: AndroidChain.intermediate))
        .unanchored(
          "certificate.not-an-authority", because: "the intermediate certificate is not one of an authority"),
      chain("factory-expired-and-longer", .factory.from2016.withSecondIntermediate)
        .unanchored("certificate.expired", because: "an expired chain of the factory has four certificates, not five"),
      chain("factory-batch-not-an-authority-and-longer", .oldFactory.withSecondIntermediate)
        .unanchored(
          "certificate.not-an-authority", because: "a chain of the factory has four certificates, not five"),
    ]
  }

  // MARK: Provisioned remotely

  private static var remote: [RegistrationScenario] {
    [
      chain("remote", .remote),
      chain("remote-with-ml-dsa", .remote, for: .mlDSA65),
      chain("remote-leaf-not-yet-valid", .remote, .certificateNotYetValid).tolerating(.leafNotYetValid),
      chain("remote-expired", .remote.from2016)
        .unanchored("certificate.expired", because: "a chain that was provisioned remotely has expired"),
      chain("remote-batch-not-an-authority", .remote.with(unmarked: AndroidChain.batch))
        .unanchored(
          "certificate.not-an-authority",
          because: "the batch certificate of a chain that was provisioned remotely is not one of an authority"),
    ]
  }

  // MARK: Everything else stays strict

  private static var strict: [RegistrationScenario] {
    [
      chain("leaf-expired-and-required-valid", .factory, .certificateExpired) { $0.requireRFC5280() }
        .unanchored("certificate.expired"),
      chain("factory-expired-and-required-valid", .factory.from2016) { $0.requireRFC5280() }
        .unanchored("certificate.expired", because: "the policy requires valid dates, and an authority has expired"),
      chain("factory-of-2016-and-authorities-required", .oldFactory) { $0.requireRFC5280() }
        .unanchored(
          "certificate.not-an-authority", because: "the policy requires the batch certificate to be an authority's"),
      chain("packed-of-2016", .oldFactory, by: .packed(.es256, .androidChain(.oldFactory)))
        .unanchored(
          "certificate.not-an-authority", because: "the statement is packed, for which the root tolerates nothing"),
      chain("factory-of-2016-on-the-status-list", .oldFactory) { (settings) in
        // The serial number of the batch certificate.
        settings.statusLists = [RevocationScenarios.statusList("11", "REVOKED")]
      }
      .notAcceptable(.certificateRevoked, because: "the batch certificate is revoked on Google's status list"),
      chain("factory-of-2016-on-the-revocation-list", .oldFactory) { (settings) throws(PasskeyCryptoError) in
        let root = try AndroidChain.oldFactory.root()
        // The serial number of the intermediate authority's certificate.
        settings.revocationLists = [try VectorAuthorities.revocationList(of: [[0x10]], by: root)]
      }
      .revoked(because: "the intermediate authority's certificate was revoked"),
      chain("factory-of-2016-of-an-impostor", .oldFactory) { (settings) throws(PasskeyCryptoError) in
        let root = CertificateIssuer(
          name: try AndroidChain.oldFactory.root().name, key: try ScenarioValues.key(of: "Impostor"))
        settings.trustAnchors = [
          try root.root(serialNumber: [1], validity: ScenarioDefaults.validity)
            .certificate(signedBy: root.key, .deterministic)
        ]
      }
      .unanchored("certificate.not-an-authority", because: "a key with the name of Google's root signed the chain"),
    ]
  }
}

extension CaseSettings {
  fileprivate mutating func requireRFC5280() {
    policy.androidKeyPath = .requiringValidDatesAndMarkedAuthorities
  }
}

extension AndroidChain {
  fileprivate func with(unmarked name: String) -> Self {
    var copy = self
    copy.unmarked = name
    return copy
  }

  fileprivate var from2016: Self {
    var copy = self
    copy.validity = Self.firstTenYears
    return copy
  }

  fileprivate var belowAnotherRoot: Self {
    var copy = self
    copy.isBelowGoogle = false
    return copy
  }

  fileprivate var withSecondIntermediate: Self {
    var copy = self
    copy.hasSecondIntermediate = true
    return copy
  }
}
