// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

extension AttestationPolicy {
  /// The authenticator models that may register: allowed and denied AAGUIDs, and requirements for their metadata.
  ///
  /// ```swift
  /// policy.models.certificationLevel = .level2
  /// policy.models.keyProtection = [.secureElement]
  /// ```
  ///
  /// The authenticator itself claims its AAGUID. The claim alone is sufficient to refuse a denied model. All other
  /// properties are requirements that only an anchored attestation with a proven model meets: it vouches for the AAGUID
  /// (`ProvenClaims`), or the metadata of that AAGUID anchor it. A TPM's, an Android's or an Apple's certificate names
  /// no model: where metadata list one anchor for several such models, it proves one of them, and not which.
  public struct ModelRequirements: Sendable {
    /// The models that may register; nil allows all. U2F authenticators have the AAGUID zero.
    public var allowed: Set<AAGUID>?

    /// The models that are refused, anchored or not.
    public var denied: Set<AAGUID> = []

    /// Statuses of which the model must have at least one; empty if none is required.
    package var statuses: Set<AuthenticatorStatus> = []

    /// The minimum certification level of the model.
    public var certificationLevel: MetadataBlob.CertificationLevel?

    /// The key protection methods that the model must have, all of them.
    package var keyProtection: Set<KeyProtection> = []

    /// Creates requirements that accept every model.
    public init() {}

    /// Verifies that an attestation meets the requirements.
    func require(_ outcome: AttestationOutcome, of ceremony: AttestedCeremony) throws(AttestationError) {
      let aaguid = ceremony.credential.aaguid
      guard !denied.contains(aaguid) else { throw AttestationError(.modelDenied, "\(aaguid)") }
      let needsMetadata = !statuses.isEmpty || certificationLevel != nil || !keyProtection.isEmpty
      guard allowed != nil || needsMetadata else { return }
      guard case .anchored = outcome.trust else {
        throw AttestationError(.modelUnproven, expected: "an anchored attestation", received: outcome.trust)
      }
      // Android key and Apple attestations do not vouch for the AAGUID. Anchors for a format prove no model, but
      // anchors that the metadata list for this model and format do. U2F's AAGUID is zero (§8.6); another one is
      // tolerated at most.
      let provesAAGUID =
        outcome.provenClaims.vouched.contains(.aaguid) || outcome.metadata?.aaguid == aaguid
        || outcome.format == .fidoU2F && aaguid == .zero
      guard provesAAGUID || allowed == nil && outcome.metadata != nil else {
        throw AttestationError(
          .modelUnproven, expected: "an attestation that vouches for the AAGUID", received: outcome.format)
      }
      if let allowed, !allowed.contains(aaguid) {
        throw AttestationError(.modelNotAllowed, expected: "one of \(allowed.count) allowed models", received: aaguid)
      }
      guard needsMetadata else { return }
      guard let entry = outcome.metadata else {
        throw AttestationError(.modelUnknown, expected: "metadata about \(aaguid)", received: "none")
      }
      try require(entry, firmwareVersion: outcome.firmwareVersion, at: ceremony.statusTime)
    }

    private func require(
      _ entry: MetadataBlob.Entry, firmwareVersion: UInt64?, at time: UnixTime
    ) throws(AttestationError) {
      let inEffect = entry.statusHistory.reports(at: time).map(\.status)
      guard statuses.isEmpty || inEffect.contains(where: statuses.contains) else {
        throw AttestationError(.modelStatus, expected: Self.list(statuses), received: Self.list(inEffect))
      }
      if let certificationLevel {
        let level = entry.statusHistory.certificationLevel(at: time, firmwareVersion: firmwareVersion)
        guard let level, level >= certificationLevel else {
          throw AttestationError(
            .modelCertificationLevel, expected: "at least \(certificationLevel)",
            received: level?.description ?? "no certification")
        }
      }
      let protection = entry.statement?.keyProtection ?? []
      guard keyProtection.isSubset(of: protection) else {
        throw AttestationError(
          .modelKeyProtection, expected: Self.list(keyProtection), received: Self.list(protection))
      }
    }

    private static func list(_ names: some Sequence<some OpenString>) -> String {
      let names = names.map(\.rawValue).sorted()
      return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
  }
}
