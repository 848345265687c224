// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// WebAuthn Level 3 §7.1, steps 23 and 24.

extension AttestationPolicy {
  /// Selects the anchors for a statement and assesses its trust.
  func assess(
    _ statement: VerifiedStatement, _ format: AttestationFormat, of ceremony: AttestedCeremony
  ) throws(AttestationError) -> AttestationOutcome {
    let aaguid = ceremony.credential.aaguid
    // §8.2.1, §8.2.2: parse the device properties in the certificate before any check depends on them.
    let firmwareVersion = try statement.certificates.first?.firmwareVersion()
    let serialNumber = try statement.certificates.first?.enterpriseSerialNumber()
    let listing = trustAnchors.listing(format, aaguid, statement.certificates)

    // 23. The anchors come from the configuration.
    let store = trustAnchors.store(format, aaguid, listing)
    // 24. None and self are determined by the type; all others by a path to an anchor. A revocation outranks every
    // other outcome.
    if format == .androidKey { try statusLists.requireNone(of: statement.certificates) }
    let trust = try trust(in: statement, format, store, at: ceremony.time)
    if format == .packed, anchorInPackedStatement == .refused, case .anchored(let anchor, _) = trust,
      statement.certificates.dropFirst().contains(anchor)
    {
      throw AttestationError(.certificateCount, "x5c contains the anchor of its own path")
    }
    if format == .androidKey, case .anchored(_, let path) = trust {
      try statusLists.requireNone(of: path.certificates)
    }
    try rogueLists.requireUnlisted(
      statement.certificates.first, ceremony.credentialPublicKey, at: ceremony.statusTime)
    let path = if case .anchored(_, let path) = trust { path.certificates } else { [X509Certificate]() }
    let isAnchored = if case .anchored = trust { true } else { false }
    let certificates = statement.certificates + path
    let compromises = trustAnchors.metadata.map { [$0.compromises(of: certificates)] } ?? []
    // Anyone can write a firmware version into a certificate without an anchor.
    try requireGoodStanding(
      listing.statusHistories + compromises, isAnchored ? firmwareVersion : nil, certificates, at: ceremony.statusTime)
    try acceptableTrust.require(trust)
    if let key = statement.androidKey { try androidKeyRequirements.require(key) }
    let isOneOfSeveral = isOneOfSeveralModels(statement, format, trust, claiming: aaguid)
    let claims = isOneOfSeveral ? statement.claims.withoutModel : statement.claims
    // An anchor that is not from the entry proves nothing about the model that the entry describes.
    let entry = listing.entry.flatMap { !isAnchored || $0.attestationFormats.contains(format) ? $0 : nil }
    return AttestationOutcome(
      format: format, type: type(of: statement, trust, listing.entry), trust: trust,
      provenClaims: isAnchored ? claims : claims.unanchored, certificates: statement.certificates,
      metadata: isOneOfSeveral ? nil : entry,
      androidKey: statement.androidKey, firmwareVersion: firmwareVersion,
      enterpriseSerialNumber: serialNumber.map { [UInt8]($0) })
  }

  /// Whether the path vouches for other models too and the certificate does not say which one it is for. §8.2.1 demands
  /// that it does; some authorities do not comply, and then any of their models could claim to be any other.
  private func isOneOfSeveralModels(
    _ statement: VerifiedStatement, _ format: AttestationFormat, _ trust: AttestationOutcome.Trust,
    claiming model: AAGUID
  ) -> Bool {
    guard format == .packed, case .anchored(_, let path) = trust, let metadata = trustAnchors.metadata,
      metadata.isShared(path.certificates, beside: model)
    else { return false }
    return statement.certificates.first?.hasAAGUID == false
  }

  private func trust(
    in statement: VerifiedStatement, _ format: AttestationFormat, _ choice: AnchorChoice, at time: UnixTime
  ) throws(AttestationError) -> AttestationOutcome.Trust {
    guard let leaf = statement.certificates.first else { return statement.type == .self ? .self : .none }
    let store: TrustStore?
    let reason: AttestationOutcome.UnanchoredReason?
    switch choice {
    case .anchors(let anchors): (store, reason) = (anchors, nil)
    case .none(let why): (store, reason) = (nil, why)
    }
    do throws(PasskeyCryptoError) {
      // A certificate can be revoked even if there are no anchors and thus no path.
      let path = try path(from: leaf, statement, format, to: store ?? TrustStore([]), at: time)
      return .anchored(root: path.anchor, path: path)
    } catch {
      guard !error.outranksPaths else { throw AttestationError(.certificateRevoked, error) }
      return .unanchored(reason ?? .pathRefused(error))
    }
  }

  private func path(
    from leaf: X509Certificate, _ statement: VerifiedStatement, _ format: AttestationFormat, to store: TrustStore,
    at time: UnixTime
  ) throws(PasskeyCryptoError) -> X509Certificate.Path {
    func validate(
      _ store: TrustStore, _ tolerated: Set<PathTolerance>
    ) throws(PasskeyCryptoError) -> X509Certificate.Path {
      var policy = self.path
      policy.tolerated = tolerated
      return try store.validate(
        leaf, through: Array(statement.certificates.dropFirst()), knownAuthorities: knownAuthorities, at: time,
        revocationLists: revocationLists, policy: policy)
    }
    do throws(PasskeyCryptoError) {
      return try validate(store, [])
    } catch {
      guard format == .androidKey, androidKeyPath == .asGoogleVerifies, !error.outranksPaths,
        let path = try AndroidKeyPath.find(among: store, validate)
      else { throw error }
      return path
    }
  }

  /// Verifies that the metadata report no status of the model that the policy refuses.
  private func requireGoodStanding(
    _ histories: [StatusHistory], _ firmwareVersion: UInt64?, _ certificates: [X509Certificate], at time: UnixTime
  ) throws(AttestationError) {
    for history in histories {
      let report = history.report(
        of: refusedStatuses, at: time, firmwareVersion: firmwareVersion, certificates: certificates)
      guard let report else { continue }
      let since = report.effectiveDate.map { ", since \($0)" } ?? ""
      throw AttestationError(.authenticatorStatus, "\(report.status.rawValue)\(since)")
    }
  }

  /// Returns the attestation type. Only metadata can tell whether a batch of devices shares the certificate.
  private func type(
    of statement: VerifiedStatement, _ trust: AttestationOutcome.Trust, _ entry: MetadataBlob.Entry?
  ) -> AttestationOutcome.Kind {
    guard statement.type == .basic, case .anchored = trust, let types = entry?.statement?.attestationTypes else {
      return statement.type
    }
    return types.contains(.attestationCA) && !types.contains(.basicFull) ? .attestationCA : .basic
  }
}
