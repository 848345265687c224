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
    // §8.2.1, §8.2.2: what the certificate tells about the device, before anything relies on it.
    let firmwareVersion = try statement.certificates.first?.firmwareVersion()
    let serialNumber = try statement.certificates.first?.enterpriseSerialNumber()
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
    let path = if case .anchored(_, let path) = trust { path.certificates } else { [Certificate]() }
    try requireGoodStanding(entry, firmwareVersion, statement.certificates + path)
    try policy.acceptableTrust.require(trust)
    if let key = statement.androidKey { try policy.androidKeyRequirements.require(key) }
    let isAnchored = if case .anchored = trust { true } else { false }
    return AttestationOutcome(
      format: format, type: type(of: statement, trust, entry), trust: trust,
      provenClaims: isAnchored ? statement.claims : statement.claims.unanchored, certificates: statement.certificates,
      // An anchor from elsewhere proves nothing about the model that the entry describes.
      metadata: entry.flatMap { !isAnchored || $0.attestationFormats.contains(format) ? $0 : nil },
      androidKey: statement.androidKey, firmwareVersion: firmwareVersion, enterpriseSerialNumber: serialNumber)
  }

  private func trust(
    in statement: VerifiedStatement, _ choice: AnchorChoice
  ) throws(AttestationError) -> AttestationTrust {
    guard let leaf = statement.certificates.first else { return statement.type == .self ? .self : .none }
    let store: TrustStore?
    let reason: UnanchoredReason?
    switch choice {
    case .anchors(let anchors): (store, reason) = (anchors, nil)
    case .none(let why): (store, reason) = (nil, why)
    }
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
      return .unanchored(reason ?? .pathRefused(error))
    }
  }

  /// Demands that nothing is reported of the model for which the policy turns authenticators away.
  private func requireGoodStanding(
    _ entry: MetadataEntry?, _ firmwareVersion: UInt64?, _ certificates: [Certificate]
  ) throws(AttestationError) {
    guard let entry else { return }
    let report = entry.statusHistory.report(
      of: policy.refusedStatuses, at: ceremony.statusTime, firmwareVersion: firmwareVersion,
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
