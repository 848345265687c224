// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Limits
//   intermediates: 16    [attestation statements carry up to 4, FIDO metadata up to 3]
//   signature checks: 32 [a path of 8 needs 7; the rest covers several authorities with one name. A hostile statement
//                         can give all its certificates one name, so that every order would be tried]

/// A depth-first search for a path from a leaf to an anchor (RFC 5280 §6.1, starting at the leaf).
struct PathSearch {
  let store: TrustStore
  let intermediates: [X509Certificate]

  /// The caller's authorities first, then those sent with the leaf, so that decoys cannot use up the signature checks.
  let candidates: [X509Certificate]
  let time: UnixTime
  let revocationLists: [RevocationList]
  let policy: CertificatePathPolicy

  private var signatureChecksLeft = maximumSignatureChecks
  private var firstFailure: PasskeyCryptoError?

  private static let maximumIntermediates = 16
  private static let maximumSignatureChecks = 32

  init(
    store: TrustStore, intermediates: [X509Certificate], knownAuthorities: [X509Certificate], time: UnixTime,
    revocationLists: [RevocationList], policy: CertificatePathPolicy
  ) {
    self.store = store
    self.intermediates = intermediates
    candidates = knownAuthorities + intermediates
    self.time = time
    self.revocationLists = revocationLists
    self.policy = policy
  }

  /// Returns the first valid path, or throws the first failure.
  ///
  /// Revocation outranks every other result, including another valid path and an earlier failure.
  mutating func findPath(from leaf: X509Certificate) throws(PasskeyCryptoError) -> X509Certificate.Path {
    guard intermediates.count <= Self.maximumIntermediates else {
      throw PasskeyCryptoError(.certificatePathTooLong, "\(intermediates.count) intermediates")
    }
    let path: X509Certificate.Path
    do throws(PasskeyCryptoError) {
      path = try findFirstPath(from: leaf)
    } catch  where error.code == .certificateRevoked {
      throw error
    } catch {
      try requireNoRevocation(of: leaf, hasPath: false)
      throw error
    }
    try requireNoRevocation(of: leaf, hasPath: true)
    return path
  }

  private func requireNoRevocation(of leaf: X509Certificate, hasPath: Bool) throws(PasskeyCryptoError) {
    guard !revocationLists.isEmpty else { return }
    var search = RevocationSearch(of: leaf, in: store, candidates: candidates, revocationLists: revocationLists)
    try search.requireNoRevocation(hasPath: hasPath)
  }

  private mutating func findFirstPath(from leaf: X509Certificate) throws(PasskeyCryptoError) -> X509Certificate.Path {
    try checkLeafDates(of: leaf)
    try checkCriticalExtensions(of: leaf)
    if store.contains(leaf) { return X509Certificate.Path(validated: leaf, [], at: time) }
    if let issuers = findIssuers(of: leaf, below: []) {
      return X509Certificate.Path(validated: leaf, issuers, at: time)
    }
    // The search ended early, so no other failure is conclusive.
    guard signatureChecksLeft > 0 else { throw PasskeyCryptoError(.certificatePathTooComplex) }
    throw firstFailure ?? PasskeyCryptoError(.certificateUnknownAuthority, "\(leaf.issuer)")
  }

  /// Returns the issuers from that of `certificate` to an anchor. `authorities` are the certificates above the leaf up
  /// to `certificate`, which is the last of them; if empty, `certificate` is the leaf.
  private mutating func findIssuers(
    of certificate: X509Certificate, below authorities: [X509Certificate]
  ) -> [X509Certificate]? {
    let anchors = store.issuers(named: certificate.issuer)
    for anchor in anchors {
      let isValid = passes { (search) throws(PasskeyCryptoError) in
        try search.check(certificate, issuedBy: anchor, asAnchor: true, over: authorities)
      }
      if isValid { return [anchor.certificate] }
    }
    var foundAuthority = false
    for candidate in candidates
    where candidate.subject == certificate.issuer && candidate != certificate && !authorities.contains(candidate) {
      foundAuthority = true
      let isValid = passes { (search) throws(PasskeyCryptoError) in
        try search.check(certificate, issuedBy: Issuer(candidate), asAnchor: false, over: authorities)
      }
      if isValid, let issuers = findIssuers(of: candidate, below: authorities + [candidate]) {
        return [candidate] + issuers
      }
    }
    if anchors.isEmpty && !foundAuthority {
      note(PasskeyCryptoError(.certificateUnknownAuthority, "\(certificate.issuer)"))
    }
    return nil
  }

  /// Checks one step of the path, cheapest checks first.
  private mutating func check(
    _ certificate: X509Certificate, issuedBy issuer: Issuer, asAnchor: Bool, over authorities: [X509Certificate]
  ) throws(PasskeyCryptoError) {
    guard authorities.count + 2 <= policy.maximumLength else {
      throw PasskeyCryptoError(.certificatePathTooLong, "more than \(policy.maximumLength) certificates")
    }
    if asAnchor || !authorities.isEmpty || !policy.tolerated.contains(.issuerNotAuthority) {
      try issuer.certificate.checkMayIssue(asAnchor: asAnchor, over: authorities)
    }
    if !asAnchor || policy.anchorDates == .checked {
      try checkStart(of: issuer.certificate)
      if !policy.tolerated.contains(.authorityExpired) { try checkEnd(of: issuer.certificate) }
    }
    try checkCriticalExtensions(of: issuer.certificate)
    guard signatureChecksLeft > 0 else { throw PasskeyCryptoError(.certificatePathTooComplex) }
    signatureChecksLeft -= 1
    try issuer.key.verify(certificate.signature, sha1Signatures: policy.sha1Signatures)
    try checkRevocation(of: certificate, by: issuer)
  }

  /// RFC 5280 §6.1.3 (a) (2) for the leaf. The policy may ignore its dates.
  private func checkLeafDates(of leaf: X509Certificate) throws(PasskeyCryptoError) {
    if !policy.tolerated.contains(.leafNotYetValid) { try checkStart(of: leaf) }
    if policy.leafDates == .checked, !policy.tolerated.contains(.leafExpired) { try checkEnd(of: leaf) }
  }

  private func checkStart(of certificate: X509Certificate) throws(PasskeyCryptoError) {
    guard certificate.notBefore <= time else {
      throw PasskeyCryptoError(
        .certificateNotYetValid, "\(certificate.subject): from \(certificate.notBefore), at \(time)")
    }
  }

  private func checkEnd(of certificate: X509Certificate) throws(PasskeyCryptoError) {
    guard time <= certificate.notAfter else {
      throw PasskeyCryptoError(.certificateExpired, "\(certificate.subject): until \(certificate.notAfter), at \(time)")
    }
  }

  /// RFC 5280 §6.1.4 (o) and §6.1.5 (f).
  private func checkCriticalExtensions(of certificate: X509Certificate) throws(PasskeyCryptoError) {
    for `extension` in certificate.extensions where !isHandled(`extension`) {
      throw PasskeyCryptoError(.certificateUnhandledCriticalExtension, "\(`extension`.identifier)")
    }
  }

  private func isHandled(_ extension: CertificateExtension) -> Bool {
    // RFC 5280 requires verifiers that support name constraints to apply them. This one does not support them, and no
    // known
    // attestation authority uses them. Ignoring them would trust an authority for names outside its constraints.
    if `extension`.identifier == .nameConstraints { return false }
    return !`extension`.isCritical || Self.handledExtensions.contains(`extension`.identifier)
      || policy.handledCriticalExtensions.contains(`extension`.identifier)
  }

  /// The extensions that are checked here, and those that have no effect without a required policy. Policy constraints
  /// are not among them, because they can require a policy.
  private static let handledExtensions: Set<DERObjectIdentifier> = [
    .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .subjectKeyIdentifier,
    .authorityKeyIdentifier, .certificatePolicies, .policyMappings, .inhibitAnyPolicy,
    .revocationListDistributionPoints,
  ]

  private mutating func passes(_ check: (inout Self) throws(PasskeyCryptoError) -> Void) -> Bool {
    do throws(PasskeyCryptoError) {
      try check(&self)
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Keeps the first failure, which belongs to the nearest candidate.
  private mutating func note(_ failure: PasskeyCryptoError) {
    firstFailure = firstFailure ?? failure
  }
}

extension X509Certificate {
  /// Checks RFC 5280 §6.1.4 (k) to (n): the certificate is an authority, may sign certificates, and allows this many
  /// authorities below it.
  fileprivate func checkMayIssue(asAnchor: Bool, over authorities: [X509Certificate]) throws(PasskeyCryptoError) {
    if let basicConstraints {
      guard basicConstraints.isAuthority else { throw PasskeyCryptoError(.certificateNotAnAuthority, "\(subject)") }
    } else {
      // Certificates of version 1 and 2 cannot state that they are authorities, and some roots state it by key usage
      // alone. An anchor is an authority by configuration; an intermediate is not.
      guard asAnchor, version < 3 || keyUsage?.contains(.certificateSigning) == true else {
        throw PasskeyCryptoError(.certificateNotAnAuthority, "\(subject)")
      }
    }
    guard keyUsage?.contains(.certificateSigning) ?? true else {
      throw PasskeyCryptoError(.certificateKeyUsage, "\(subject) may not sign certificates")
    }
    // RFC 5280 §6.1.1 (d) takes only the name and key of an anchor. We also require it to be an authority, but ignore
    // its path length, because a real root has path length 0 and authorities below it.
    if !asAnchor, let pathLength = basicConstraints?.pathLength {
      guard authorities.count(where: { !$0.isSelfIssued }) <= pathLength else {
        throw PasskeyCryptoError(.certificatePathTooLong, "\(subject) allows \(pathLength) authorities below it")
      }
    }
  }
}
