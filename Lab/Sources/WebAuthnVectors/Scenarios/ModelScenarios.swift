// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnTypes

/// Relying parties that accept only some authenticator models.
enum ModelScenarios {
  static var all: [RegistrationScenario] { identifiers + metadata }

  private static var identifiers: [RegistrationScenario] {
    [
      scenario("model-allowed") { (models, own) in models.allowed = [own] },
      scenario("model-of-several-allowed") { (models, own) in models.allowed = [.zero, own] },
      scenario("model-not-allowed") { (models, _) in models.allowed = [.zero] }
        .notAcceptable(.modelNotAllowed, because: "the relying party allows only another model"),
      scenario("model-denied") { (models, own) in models.denied = [own] }
        .notAcceptable(.modelDenied, because: "the relying party denies the model"),
      scenario("model-denied-without-attestation", .none) { (models, own) in models.denied = [own] }
        .notAcceptable(.modelDenied, because: "the relying party denies the model that the authenticator reports"),
      scenario("model-unproven", .selfSigned) { (models, own) in models.allowed = [own] }
        .notAcceptable(.modelUnproven, because: "no anchored attestation proves the model"),
    ]
  }

  private static var metadata: [RegistrationScenario] {
    [
      scenario("model-as-required", reports: ["FIDO_CERTIFIED_L2"], protection: ["hardware", "secure_element"]) {
        (models, _) in
        models = CaseModels(
          statuses: ["FIDO_CERTIFIED_L1", "FIDO_CERTIFIED_L2"], certificationLevel: .level2,
          keyProtection: ["secure_element"])
      },
      scenario("model-without-metadata") { (models, _) in models.certificationLevel = .level1 }
        .notAcceptable(.modelUnknown, because: "the relying party has no metadata about the model"),
      scenario("model-in-another-state", reports: ["FIDO_CERTIFIED_L1"]) { (models, _) in
        models.statuses = ["FIDO_CERTIFIED_L2"]
      }
      .notAcceptable(.modelStatus, because: "the model does not have the required status"),
      scenario("model-certified-too-low", reports: ["FIDO_CERTIFIED_L1"]) { (models, _) in
        models.certificationLevel = .level1Plus
      }
      .notAcceptable(.modelCertificationLevel, because: "the model has a lower certification level"),
      scenario("model-protected-in-software", reports: ["FIDO_CERTIFIED_L1"], protection: ["software"]) {
        (models, _) in models.keyProtection = ["hardware"]
      }
      .notAcceptable(.modelKeyProtection, because: "the model protects its keys in software"),
    ]
  }

  /// Returns a registration with model requirements, and with metadata if there are status reports.
  private static func scenario(
    _ name: String, _ kind: AttestationKind = .packed(), reports: [String] = [], protection: [String] = [],
    _ require: @escaping @Sendable (inout CaseModels, AAGUID) -> Void
  ) -> RegistrationScenario {
    let id = "attestation-trust/\(name)"
    return RegistrationScenario(id, .es256, kind).configuring { (settings) throws(PasskeyCryptoError) in
      let model = try ScenarioValues(id, .es256).aaguid
      var models = CaseModels()
      require(&models, model)
      settings.policy.models = models
      if !reports.isEmpty {
        settings.metadata = try VectorMetadata.blob(about: model, reports, protection: protection)
      }
    }
  }
}
