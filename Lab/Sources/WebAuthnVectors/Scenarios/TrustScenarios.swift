// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Trust in attestations (WebAuthn §7.1 steps 23 and 24): anchors, certificate paths (RFC 5280), metadata, policies.
enum TrustScenarios {
  static var all: [RegistrationScenario] {
    anchors + paths + revocation + RevocationScenarios.hidden + RevocationScenarios.rogueLists + policies + metadata
      + ModelScenarios.all
  }

  private static var anchors: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/not-judged", .packed()).configuring { $0.trustAnchors = nil },
      RegistrationScenario("attestation-trust/unanchored-and-acceptable", .packed(.es256, .impostor))
        .configuring { $0.policy.attestationTrust = [.unanchored] },
      RegistrationScenario("attestation-trust/anchor-is-the-certificate", .packed())
        .modifying { (draft: inout StatementDraft) in draft.certificates = Array(draft.certificates.prefix(1)) },
      RegistrationScenario("attestation-trust/no-anchors", .packed())
        .configuring { $0.trustAnchors = [] }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.unknown-authority", because: "the list of trust anchors is empty"),
      RegistrationScenario("attestation-trust/no-anchors-and-anchored-wanted", .packed())
        .configuring { (settings) in
          settings.trustAnchors = nil
          settings.policy.attestationTrust = [.anchored]
        }
        .notAcceptable(.unanchoredNotAcceptable, because: "no trust anchor is configured"),
    ]
  }

  private static var paths: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/two-intermediates", .packed(.es256, .twoIntermediates)),
      RegistrationScenario(
        "attestation-trust/two-intermediates-of-which-one-may-be", .packed(.es256, .twoIntermediatesExceedingPathLength)
      )
      .notAcceptable(
        .unanchoredNotAcceptable, "certificate.path-too-long",
        because: "the path length constraint of the upper intermediate authority is zero"),
      RegistrationScenario("attestation-trust/true-as-01", .packed(.es256, .intermediateWithInvalidBoolean)),
      RegistrationScenario("attestation-trust/issuer-in-capitals", .packed(.es256, .intermediate))
        .modifying { (certificate: inout CertificateMaker) in certificate.issuer.capitalize() },
      RegistrationScenario("attestation-trust/signed-over-sha-1", .packed(.es256, .intermediateSigningSHA1))
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.weak-signature",
          because: "the intermediate authority signs over SHA-1"),
      RegistrationScenario("attestation-trust/extension-twice", .packed(), .certificateExtensionTwice)
        .refused(.malformedCertificate, "certificate.duplicate-extension"),
      RegistrationScenario("attestation-trust/expired-and-not-judged", .packed(), .certificateExpired)
        .configuring { $0.policy.leafDates = .expiryIgnored },
      path("expired", .packed(), .certificateExpired, "certificate.expired"),
      path("not-yet-valid", .packed(), .certificateNotYetValid, "certificate.not-yet-valid"),
      path("of-another-issuer", .packed(), .certificateOfAnotherIssuer, "certificate.unknown-authority"),
      path(
        "intermediate-left-out", .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed),
        "certificate.unknown-authority"),
      path(
        "unknown-critical-extension", .packed(), .certificateWithUnknownCriticalExtension,
        "certificate.unhandled-critical-extension"),
      RegistrationScenario("attestation-trust/impostor", .packed(.es256, .impostor))
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.invalid-signature",
          because: "the certificate was signed by an impostor with the root's name"),
      RegistrationScenario(
        "attestation-trust/intermediate-no-authority", .packed(.es256, .intermediateWithoutCAFlag)
      )
      .notAcceptable(
        .unanchoredNotAcceptable, "certificate.not-an-authority",
        because: "the intermediate certificate is not a CA certificate"),
      RegistrationScenario(
        "attestation-trust/intermediate-may-not-sign", .packed(.es256, .intermediateWithoutSigningUsage)
      )
      .notAcceptable(
        .unanchoredNotAcceptable, "certificate.key-usage",
        because: "the intermediate authority may not sign certificates"),
    ]
  }

  private static func path(
    _ name: String, _ kind: AttestationKind, _ fault: Fault, _ code: String
  ) -> RegistrationScenario {
    RegistrationScenario("attestation-trust/\(name)", kind, fault).notAcceptable(.unanchoredNotAcceptable, code)
  }

  private static var revocation: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/not-on-the-revocation-list", .packed())
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]])]
        },
      RegistrationScenario("attestation-trust/revoked", .packed(.es256, .intermediate))
        .configuring { (settings) throws(PasskeyCryptoError) in
          // The intermediate authority's serial number.
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked", because: "the intermediate authority's certificate was revoked"),
      RegistrationScenario("attestation-trust/revocation-list-expired", .packed())
        .configuring { (settings) throws(PasskeyCryptoError) in
          let past = ScenarioDefaults.validity.lowerBound...(ScenarioDefaults.time - .seconds(1))
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]], validity: past)]
        }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-list-expired",
          because: "the revocation list has expired"),
      RegistrationScenario("attestation-trust/revocation-list-of-an-impostor", .packed())
        .configuring { (settings) throws(PasskeyCryptoError) in
          let impostor = try VectorAuthorities.impostor()
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [], signedBy: impostor)]
        }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-list-invalid-signature",
          because: "the revocation list was signed by an impostor with the root's name"),
      RegistrationScenario("attestation-trust/revocation-unknown", .packed())
        .configuring { $0.policy.revocation = .required }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-unknown",
          because: "a revocation list is required, and none is configured"),
    ]
  }

  private static var policies: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/format-acceptable", .packed())
        .configuring { $0.policy.attestationFormats = ["packed", "tpm"] },
      RegistrationScenario("attestation-trust/format-not-acceptable", .packed())
        .configuring { $0.policy.attestationFormats = ["tpm"] }
        .refused(.formatNotAcceptable, because: "the relying party accepts only the format tpm"),
    ]
  }

  private static var metadata: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/model-in-good-standing", .packed()).withMetadata(["FIDO_CERTIFIED"]),
      RegistrationScenario("attestation-trust/model-compromised", .packed())
        .withMetadata(["FIDO_CERTIFIED", "ATTESTATION_KEY_COMPROMISE"])
        .notAcceptable(
          .authenticatorStatus, because: "the metadata report a compromise of the model's attestation key"),
      RegistrationScenario("attestation-trust/web-authority-for-safetynet", .androidSafetyNet())
        .asGooglePlayServices
        .withMetadata(["FIDO_CERTIFIED"], of: googlePlayServices),
      RegistrationScenario("attestation-trust/web-authority-for-packed", .packed())
        .asGooglePlayServices
        .withMetadata(["FIDO_CERTIFIED"], of: googlePlayServices)
        .notAcceptable(
          .unanchoredNotAcceptable, because: "the metadata list the root for SafetyNet, but the statement is packed"),
      RegistrationScenario("attestation-trust/model-of-another-format", .tpm())
        .withMetadata(["FIDO_CERTIFIED"])
        .notAcceptable(
          .unanchoredNotAcceptable,
          because: "the metadata list the model for packed attestation, but the statement is a TPM's"),
      RegistrationScenario("attestation-trust/root-compromised", .packed())
        .withMetadata(["ATTESTATION_KEY_COMPROMISE"], reportsRoot: true)
        .notAcceptable(.authenticatorStatus, because: "the metadata report a compromise of the model's root"),
      RegistrationScenario("attestation-trust/model-revoked", .packed())
        .withMetadata(["REVOKED"])
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
    modifying { (data: inout AuthenticatorDataDraft) in
      if let googlePlayServices { data.credential?.aaguid = googlePlayServices }
    }
    .modifying { (certificate: inout CertificateMaker) in
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
