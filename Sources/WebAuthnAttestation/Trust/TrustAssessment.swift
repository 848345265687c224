// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// WebAuthn Level 3 §7.1, steps 23 and 24: the anchors that may vouch for a statement, and what it is worth by them.
struct TrustAssessment {
  let policy: AttestationPolicy
  let ceremony: AttestedCeremony

  func outcome(
    of statement: VerifiedStatement, _ format: AttestationFormat
  ) throws(AttestationError) -> AttestationOutcome {
    let aaguid = ceremony.credential.aaguid
    let entry = policy.trustAnchors.entry(format, aaguid, statement.certificates)

    // 23. The anchors come from the configuration.
    let store = policy.trustAnchors.store(format, aaguid, entry)
    // 24. None and self are what they are; everything else is worth the path that leads to an anchor.
    // A revocation outranks every other outcome.
    if format == .androidKey { try policy.statusLists.requireNone(of: statement.certificates) }
    let trust = try trust(in: statement, store)
    if format == .androidKey, case .anchored(_, let path) = trust {
      try policy.statusLists.requireNone(of: path.certificates)
    }
    try policy.rogueLists.requireNeither(
      statement.certificates.first, nor: ceremony.credentialPublicKey, at: ceremony.statusTime)
    try requireGoodStanding(entry, statement.certificates)
    try policy.acceptableTrust.require(trust)
    return AttestationOutcome(
      format: format, type: type(of: statement, trust, entry), trust: trust, certificates: statement.certificates,
      metadata: entry)
  }

  private func trust(
    in statement: VerifiedStatement, _ store: TrustStore?
  ) throws(AttestationError) -> AttestationTrust {
    guard let leaf = statement.certificates.first else { return statement.type == .self ? .self : .none }
    do throws(CryptoError) {
      // Without anchors there is no path, and a certificate can still be revoked.
      let path = try (store ?? TrustStore([])).validate(
        leaf, through: Array(statement.certificates.dropFirst()), knownAuthorities: policy.knownAuthorities,
        at: ceremony.time, revocationLists: policy.revocationLists, policy: policy.path)
      return .anchored(root: path.anchor, path: path)
    } catch {
      guard error.code != .certificateRevoked, error.code != .certificateIssuerOmitted else {
        throw AttestationError(.certificateRevoked, error)
      }
      return .unanchored(store == nil ? .noAnchorsConfigured : .pathRefused(error))
    }
  }

  /// Demands that nothing is reported of the model for which the policy turns authenticators away.
  private func requireGoodStanding(
    _ entry: MetadataEntry?, _ certificates: [Certificate]
  ) throws(AttestationError) {
    guard let entry else { return }
    let report = entry.statusHistory.report(
      of: policy.refusedStatuses, at: ceremony.statusTime, firmwareVersion: certificates.first?.firmwareVersion,
      certificates: certificates)
    guard let report else { return }
    let since = report.effectiveDate.map { ", since \($0)" } ?? ""
    throw AttestationError(.authenticatorStatus, "\(report.status.rawValue)\(since)")
  }

  /// Only metadata know whether a certificate is shared by a batch or belongs to one device.
  private func type(
    of statement: VerifiedStatement, _ trust: AttestationTrust, _ entry: MetadataEntry?
  ) -> AttestationType {
    guard statement.type == .basic, case .anchored = trust, let types = entry?.statement?.attestationTypes else {
      return statement.type
    }
    return types.contains(.attestationCA) && !types.contains(.basicFull) ? .attestationCA : .basic
  }
}
