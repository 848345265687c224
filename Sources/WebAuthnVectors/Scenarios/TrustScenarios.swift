// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What an attestation is worth (WebAuthn §7.1 steps 23 and 24): anchors, paths (RFC 5280), metadata, policies.
enum TrustScenarios {
  static var all: [RegistrationScenario] {
    anchors + paths + revocation + RevocationScenarios.hidden + RevocationScenarios.rogueLists + policies + metadata
      + ModelScenarios.all
  }

  private static var anchors: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/not-judged", .packed()).demanding { $0.trustAnchors = nil },
      RegistrationScenario("attestation-trust/unanchored-and-acceptable", .packed(.es256, .impostor))
        .demanding { $0.policy.attestationTrust = [.unanchored] },
      RegistrationScenario("attestation-trust/anchor-is-the-certificate", .packed())
        .making { (draft: inout StatementDraft) in draft.certificates = Array(draft.certificates.prefix(1)) },
      RegistrationScenario("attestation-trust/no-anchors", .packed())
        .demanding { $0.trustAnchors = [] }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.unknown-authority", because: "there are no anchors"),
      RegistrationScenario("attestation-trust/no-anchors-and-anchored-wanted", .packed())
        .demanding { (terms) in
          terms.trustAnchors = nil
          terms.policy.attestationTrust = [.anchored]
        }
        .notAcceptable(.unanchoredNotAcceptable, because: "nobody is configured who could vouch for it"),
    ]
  }

  private static var paths: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/two-intermediates", .packed(.es256, .twoIntermediates)),
      RegistrationScenario(
        "attestation-trust/two-intermediates-of-which-one-may-be", .packed(.es256, .twoIntermediatesOfWhichOneMayBe)
      )
      .notAcceptable(
        .unanchoredNotAcceptable, "certificate.path-too-long",
        because: "the upper intermediate authority may have none below it"),
      RegistrationScenario("attestation-trust/true-as-01", .packed(.es256, .intermediateOfLooseEncoding)),
      RegistrationScenario("attestation-trust/issuer-in-capitals", .packed(.es256, .intermediate))
        .making { (certificate: inout CertificateMaker) in certificate.issuer.capitalize() },
      RegistrationScenario("attestation-trust/signed-over-sha-1", .packed(.es256, .intermediateOfLegacy))
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.weak-signature",
          because: "the intermediate authority signs over SHA-1"),
      RegistrationScenario("attestation-trust/extension-twice", .packed(), .certificateExtensionTwice)
        .refused(.malformedCertificate, "certificate.duplicate-extension"),
      RegistrationScenario("attestation-trust/expired-and-not-judged", .packed(), .certificateExpired)
        .demanding { $0.policy.leafDates = .expiryIgnored },
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
          because: "the certificate was signed by somebody who has taken the root's name"),
      RegistrationScenario(
        "attestation-trust/intermediate-no-authority", .packed(.es256, .intermediateThatIsNoAuthority)
      )
      .notAcceptable(
        .unanchoredNotAcceptable, "certificate.not-an-authority",
        because: "the intermediate certificate is no authority's"),
      RegistrationScenario("attestation-trust/intermediate-may-not-sign", .packed(.es256, .intermediateThatMayNotSign))
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
        .demanding { (terms) throws(CryptoError) in
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]])]
        },
      RegistrationScenario("attestation-trust/revoked", .packed(.es256, .intermediate))
        .demanding { (terms) throws(CryptoError) in
          // The intermediate authority's serial number.
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked", because: "the intermediate authority's certificate was revoked"),
      RegistrationScenario("attestation-trust/revocation-list-expired", .packed())
        .demanding { (terms) throws(CryptoError) in
          let past = ScenarioDefaults.validity.lowerBound...(ScenarioDefaults.time - .seconds(1))
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [[7, 7, 7]], validity: past)]
        }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-list-expired",
          because: "the next revocation list should be there"),
      RegistrationScenario("attestation-trust/revocation-list-of-an-impostor", .packed())
        .demanding { (terms) throws(CryptoError) in
          let impostor = try VectorAuthorities.impostor()
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [], signedBy: impostor)]
        }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-list-invalid-signature",
          because: "the revocation list was signed by somebody who has taken the root's name"),
      RegistrationScenario("attestation-trust/revocation-unknown", .packed())
        .demanding { $0.policy.revocation = .required }
        .notAcceptable(
          .unanchoredNotAcceptable, "certificate.revocation-unknown", because: "there is no revocation list"),
    ]
  }

  private static var policies: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/format-acceptable", .packed())
        .demanding { $0.policy.attestationFormats = ["packed", "tpm"] },
      RegistrationScenario("attestation-trust/format-not-acceptable", .packed())
        .demanding { $0.policy.attestationFormats = ["tpm"] }
        .refused(.formatNotAcceptable, because: "the relying party accepts the format tpm alone"),
    ]
  }

  private static var metadata: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/model-in-good-standing", .packed()).knowing(["FIDO_CERTIFIED"]),
      RegistrationScenario("attestation-trust/model-compromised", .packed())
        .knowing(["FIDO_CERTIFIED", "ATTESTATION_KEY_COMPROMISE"])
        .notAcceptable(.authenticatorStatus, because: "the metadata say that the model's attestation key is stolen"),
      RegistrationScenario("attestation-trust/web-authority-for-safetynet", .androidSafetyNet())
        .asGooglePlayServices
        .knowing(["FIDO_CERTIFIED"], of: googlePlayServices),
      RegistrationScenario("attestation-trust/web-authority-for-packed", .packed())
        .asGooglePlayServices
        .knowing(["FIDO_CERTIFIED"], of: googlePlayServices)
        .notAcceptable(
          .unanchoredNotAcceptable, because: "the metadata list the root for SafetyNet, and the statement is packed"),
      RegistrationScenario("attestation-trust/model-of-another-format", .tpm())
        .knowing(["FIDO_CERTIFIED"])
        .notAcceptable(
          .unanchoredNotAcceptable,
          because: "the metadata say that the model makes packed statements, and this is a TPM's"),
      RegistrationScenario("attestation-trust/root-compromised", .packed())
        .knowing(["ATTESTATION_KEY_COMPROMISE"], reportsRoot: true)
        .notAcceptable(.authenticatorStatus, because: "the metadata say that the key of the model's root is stolen"),
      RegistrationScenario("attestation-trust/model-revoked", .packed())
        .knowing(["REVOKED"])
        .notAcceptable(.authenticatorStatus, because: "the metadata say that the model is revoked"),
    ]
  }
}

extension CertificateName {
  /// Writes the name in capitals: the same name (RFC 5280 §7.1).
  fileprivate mutating func capitalize() {
    relativeNames = relativeNames.map { (attributes) in attributes.map { .init($0.type, $0.text.uppercased()) } }
  }
}

/// The AAGUID for which the FIDO metadata list the web authorities of SafetyNet.
private let googlePlayServices = AAGUID(uuid: "b93fd961-f2e6-462f-b122-82002247de78")

extension RegistrationScenario {
  /// The authenticator reports the AAGUID of Google Play services, and no certificate contradicts it.
  fileprivate var asGooglePlayServices: Self {
    making { (data: inout AuthenticatorDataDraft) in
      if let googlePlayServices { data.credential?.aaguid = googlePlayServices }
    }
    .making { (certificate: inout CertificateMaker) in
      certificate.extensions.removeAll { $0.identifier == CertificateExtension.authenticatorModel(.zero).identifier }
    }
  }

  /// Gives the relying party metadata about the scenario's model, with the root as its anchor and these reports.
  fileprivate func knowing(_ statuses: [String], of named: AAGUID? = nil, reportsRoot: Bool = false) -> Self {
    let (label, algorithm) = (self.label, self.algorithm)
    return demanding { (terms) throws(CryptoError) in
      let model = if let named { named } else { try ScenarioValues(label, algorithm).aaguid }
      terms.metadata = try VectorMetadata.blob(about: model, statuses, reportsRoot: reportsRoot)
    }
  }
}
