// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Trust in attestations (WebAuthn §7.1 steps 23 and 24): anchors, certificate paths (RFC 5280), metadata, policies.
enum TrustScenarios {
  private static let trust = RegistrationGroup("attestation-trust/", .packed())

  static var all: [RegistrationScenario] {
    anchors + paths + revocation + RevocationScenarios.hidden + RevocationScenarios.rogueLists + policies + metadata
      + ModelScenarios.all
  }

  private static var anchors: [RegistrationScenario] {
    [
      trust("not-judged").configuring { $0.trustAnchors = nil },
      trust("unanchored-and-acceptable", by: .packed(.es256, .impostor))
        .configuring { $0.policy.attestationTrust = [.unanchored] },
      trust("anchor-is-the-certificate")
        .modifying(StatementDraft.self) { $0.certificates = Array($0.certificates.prefix(1)) },
      trust("no-anchors")
        .configuring { $0.trustAnchors = [] }
        .unanchored("certificate.unknown-authority", because: "the list of trust anchors is empty"),
      trust("no-anchors-and-anchored-wanted")
        .configuring { (settings) in
          settings.trustAnchors = nil
          settings.policy.attestationTrust = [.anchored]
        }
        .notAcceptable(.unanchoredNotAcceptable, because: "no trust anchor is configured"),
    ]
  }

  private static var paths: [RegistrationScenario] {
    [
      trust("two-intermediates", by: .packed(.es256, .twoIntermediates)),
      trust("two-intermediates-of-which-one-may-be", by: .packed(.es256, .twoIntermediatesExceedingPathLength))
        .unanchored(
          "certificate.path-too-long", because: "the path length constraint of the upper intermediate authority is zero"
        ),
      trust("true-as-01", by: .packed(.es256, .intermediateWithInvalidBoolean)),
      trust("issuer-in-capitals", by: .packed(.es256, .intermediate))
        .modifying(CertificateMaker.self) { $0.issuer.capitalize() },
      trust("signed-over-sha-1", by: .packed(.es256, .intermediateSigningSHA1))
        .unanchored("certificate.weak-signature", because: "the intermediate authority signs over SHA-1"),
      trust("extension-twice", .certificateExtensionTwice)
        .refused(.malformedCertificate, "certificate.duplicate-extension"),
      trust("expired-and-not-judged", .certificateExpired).configuring { $0.policy.leafDates = .expiryIgnored },
      trust("expired", .certificateExpired).unanchored("certificate.expired"),
      trust("not-yet-valid", .certificateNotYetValid).unanchored("certificate.not-yet-valid"),
      trust("of-another-issuer", .certificateOfAnotherIssuer).unanchored("certificate.unknown-authority"),
      trust("intermediate-left-out", by: .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed))
        .unanchored("certificate.unknown-authority"),
      trust("unknown-critical-extension", .certificateWithUnknownCriticalExtension)
        .unanchored("certificate.unhandled-critical-extension"),
      trust("impostor", by: .packed(.es256, .impostor))
        .unanchored(
          "certificate.invalid-signature", because: "the certificate was signed by an impostor with the root's name"),
      trust("intermediate-no-authority", by: .packed(.es256, .intermediateWithoutCAFlag))
        .unanchored("certificate.not-an-authority", because: "the intermediate certificate is not a CA certificate"),
      trust("intermediate-may-not-sign", by: .packed(.es256, .intermediateWithoutSigningUsage))
        .unanchored("certificate.key-usage", because: "the intermediate authority may not sign certificates"),
    ]
  }

  private static var revocation: [RegistrationScenario] {
    [
      trust("not-on-the-revocation-list")
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]])]
        },
      trust("revoked", by: .packed(.es256, .intermediate))
        .configuring { (settings) throws(PasskeyCryptoError) in try settings.revokeIntermediate() }
        .revoked(because: "the intermediate authority's certificate was revoked"),
      trust("revocation-list-expired")
        .configuring { (settings) throws(PasskeyCryptoError) in
          let past = ScenarioDefaults.validity.lowerBound...(ScenarioDefaults.time - .seconds(1))
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]], validity: past)]
        }
        .unanchored("certificate.revocation-list-expired", because: "the revocation list has expired"),
      trust("revocation-list-of-an-impostor")
        .configuring { (settings) throws(PasskeyCryptoError) in
          let impostor = try VectorAuthorities.impostor()
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [], signedBy: impostor)]
        }
        .unanchored(
          "certificate.revocation-list-invalid-signature",
          because: "the revocation list was signed by an impostor with the root's name"),
      trust("revocation-unknown")
        .configuring { $0.policy.revocation = .required }
        .unanchored("certificate.revocation-unknown", because: "a revocation list is required, and none is configured"),
    ]
  }

  private static var policies: [RegistrationScenario] {
    [
      trust("format-acceptable").configuring { $0.policy.attestationFormats = ["packed", "tpm"] },
      trust("format-not-acceptable")
        .configuring { $0.policy.attestationFormats = ["tpm"] }
        .refused(.formatNotAcceptable, because: "the relying party accepts only the format tpm"),
    ]
  }

  private static var metadata: [RegistrationScenario] {
    [
      trust("model-in-good-standing").withMetadata(["FIDO_CERTIFIED"]),
      trust("model-compromised").withMetadata(["FIDO_CERTIFIED", "ATTESTATION_KEY_COMPROMISE"])
        .notAcceptable(
          .authenticatorStatus, because: "the metadata report a compromise of the model's attestation key"),
      trust("web-authority-for-safetynet", by: .androidSafetyNet())
        .asGooglePlayServices
        .withMetadata(["FIDO_CERTIFIED"], of: googlePlayServices),
      trust("web-authority-for-packed")
        .asGooglePlayServices
        .withMetadata(["FIDO_CERTIFIED"], of: googlePlayServices)
        .notAcceptable(
          .unanchoredNotAcceptable, because: "the metadata list the root for SafetyNet, but the statement is packed"),
      trust("model-of-another-format", by: .tpm()).withMetadata(["FIDO_CERTIFIED"])
        .notAcceptable(
          .unanchoredNotAcceptable,
          because: "the metadata list the model for packed attestation, but the statement is a TPM's"),
      trust("root-compromised").withMetadata(["ATTESTATION_KEY_COMPROMISE"], reportsRoot: true)
        .notAcceptable(.authenticatorStatus, because: "the metadata report a compromise of the model's root"),
      trust("model-revoked").withMetadata(["REVOKED"])
        .notAcceptable(.authenticatorStatus, because: "the metadata report the model as revoked"),
    ]
  }
}

extension CertificateName {
  /// Converts the name to upper case, which RFC 5280 §7.1 considers equal.
  fileprivate mutating func capitalize() {
    relativeNames = relativeNames.map { (attributes) in attributes.map { .init($0.type, $0.text.uppercased()) } }
  }
}

/// The AAGUID for which the FIDO metadata list the web authorities of SafetyNet.
private let googlePlayServices = AAGUID(uuid: "b93fd961-f2e6-462f-b122-82002247de78")

extension RegistrationScenario {
  /// The scenario with the AAGUID of Google Play services, and without an AAGUID in the certificate.
  fileprivate var asGooglePlayServices: Self {
    modifying(AuthenticatorDataDraft.self) { (data) in
      if let googlePlayServices { data.credential?.aaguid = googlePlayServices }
    }
    .modifying(CertificateMaker.self) { (certificate) in
      certificate.extensions.removeAll { $0.identifier == CertificateExtension.authenticatorModel(.zero).identifier }
    }
  }

  /// Configures metadata about the scenario's model with the root as its anchor and these status reports.
  fileprivate func withMetadata(_ statuses: [String], of named: AAGUID? = nil, reportsRoot: Bool = false) -> Self {
    let (label, algorithm) = (self.label, self.algorithm)
    return configuring { (settings) throws(PasskeyCryptoError) in
      let model = if let named { named } else { try ScenarioValues(label, algorithm).aaguid }
      settings.metadata = try VectorMetadata.blob(about: model, statuses, reportsRoot: reportsRoot)
    }
  }
}
