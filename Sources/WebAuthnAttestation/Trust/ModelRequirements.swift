// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
internal import WireFormats

/// Which models of authenticators a relying party registers: allowed and denied AAGUIDs, and what metadata must say.
///
/// ```swift
/// policy.models.certificationLevel = .level2
/// policy.models.keyProtection = [.secureElement]
/// ```
///
/// An authenticator states its AAGUID itself. A denied one is refused on that statement alone. Everything else here is a
/// requirement, and only an anchored attestation that proves the model meets it: one that vouches for the AAGUID
/// (``ProvenClaims``), or one that the metadata of that AAGUID anchors.
public struct ModelRequirements: Sendable {
  /// The models that are registered; nil is every one. U2F authenticators have the AAGUID zero.
  public var allowed: Set<AAGUID>?

  /// The models that are refused, anchored or not.
  public var denied: Set<AAGUID> = []

  /// States of which one must hold for the model; empty where none is required.
  public var statuses: Set<AuthenticatorStatus> = []

  /// The certification that the model must have reached at least.
  public var certificationLevel: CertificationLevel?

  /// The means of protection that the model must have, every one of them.
  public var keyProtection: Set<KeyProtection> = []

  /// No requirements.
  public init() {}

  /// Demands that an attestation meets the requirements.
  func require(_ outcome: AttestationOutcome, of ceremony: AttestedCeremony) throws(AttestationError) {
    let aaguid = ceremony.credential.aaguid
    guard !denied.contains(aaguid) else { throw AttestationError(.modelDenied, "\(aaguid)") }
    let needsMetadata = !statuses.isEmpty || certificationLevel != nil || !keyProtection.isEmpty
    guard allowed != nil || needsMetadata else { return }
    guard case .anchored = outcome.trust else {
      throw AttestationError(.modelUnproven, expected: "an anchored attestation", received: outcome.trust)
    }
    // An Android key or an Apple attestation does not vouch for the AAGUID. Anchors for its format prove no model, but those
    // that metadata lists for this model and this format do. U2F's AAGUID is zero, and no other is accepted (§8.6).
    let provesModel = outcome.provenClaims.vouched.contains(.aaguid) || outcome.format == .fidoU2F
    guard outcome.metadata != nil || provesModel else {
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
    _ entry: MetadataEntry, firmwareVersion: UInt64?, at time: Timestamp
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
