// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Limits
//   intermediates: 16    [attestation statements carry up to 4, FIDO metadata up to 3]
//   signature checks: 32 [a path of 8 needs 7; the rest covers several authorities with one name. A hostile statement
//                         can give all its certificates one name, so that every order would be tried]

/// A depth-first search for a path from a leaf to an anchor (RFC 5280 §6.1, starting at the leaf).
struct PathSearch {
  let store: TrustStore
  let intermediates: [Certificate]

  /// The caller's authorities first, then those sent with the leaf, so that decoys cannot use up the signature checks.
  let candidates: [Certificate]
  let time: Timestamp
  let revocationLists: [RevocationList]
  let policy: CertificatePathPolicy

  private var signatureChecksLeft = maximumSignatureChecks
  private var firstFailure: CryptoError?

  private static let maximumIntermediates = 16
  private static let maximumSignatureChecks = 32

  init(
    store: TrustStore, intermediates: [Certificate], knownAuthorities: [Certificate], time: Timestamp,
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
  mutating func findPath(from leaf: Certificate) throws(CryptoError) -> CertificatePath {
    guard intermediates.count <= Self.maximumIntermediates else {
      throw CryptoError(.certificatePathTooLong, "\(intermediates.count) intermediates")
    }
    let path: CertificatePath
    do throws(CryptoError) {
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

  private func requireNoRevocation(of leaf: Certificate, hasPath: Bool) throws(CryptoError) {
    guard !revocationLists.isEmpty else { return }
    var search = RevocationSearch(of: leaf, in: store, candidates: candidates, revocationLists: revocationLists)
    try search.requireNoRevocation(hasPath: hasPath)
  }

  private mutating func findFirstPath(from leaf: Certificate) throws(CryptoError) -> CertificatePath {
    try checkLeafDates(of: leaf)
    try checkCriticalExtensions(of: leaf)
    if store.contains(leaf) { return CertificatePath(validated: leaf, [], at: time) }
    if let issuers = findIssuers(of: leaf, below: []) { return CertificatePath(validated: leaf, issuers, at: time) }
    // The search ended early, so no other failure is conclusive.
    guard signatureChecksLeft > 0 else { throw CryptoError(.certificatePathTooComplex) }
    throw firstFailure ?? CryptoError(.certificateUnknownAuthority, "\(leaf.issuer)")
  }

  /// Returns the issuers from that of `certificate` to an anchor. `authorities` are the certificates above the leaf up
  /// to `certificate`, which is the last of them; if empty, `certificate` is the leaf.
  private mutating func findIssuers(of certificate: Certificate, below authorities: [Certificate]) -> [Certificate]? {
    let anchors = store.issuers(named: certificate.issuer)
    for anchor in anchors {
      let isValid = passes { (search) throws(CryptoError) in
        try search.check(certificate, issuedBy: anchor, asAnchor: true, over: authorities)
      }
      if isValid { return [anchor.certificate] }
    }
    var foundAuthority = false
    for candidate in candidates
    where candidate.subject == certificate.issuer && candidate != certificate && !authorities.contains(candidate) {
      foundAuthority = true
      let isValid = passes { (search) throws(CryptoError) in
        try search.check(certificate, issuedBy: Issuer(candidate), asAnchor: false, over: authorities)
      }
      if isValid, let issuers = findIssuers(of: candidate, below: authorities + [candidate]) {
        return [candidate] + issuers
      }
    }
    if anchors.isEmpty && !foundAuthority {
      note(CryptoError(.certificateUnknownAuthority, "\(certificate.issuer)"))
    }
    return nil
  }

  /// Checks one step of the path, cheapest checks first.
  private mutating func check(
    _ certificate: Certificate, issuedBy issuer: Issuer, asAnchor: Bool, over authorities: [Certificate]
  ) throws(CryptoError) {
    guard authorities.count + 2 <= policy.maximumLength else {
      throw CryptoError(.certificatePathTooLong, "more than \(policy.maximumLength) certificates")
    }
    if asAnchor || !authorities.isEmpty || !policy.tolerated.contains(.issuerNotAuthority) {
      try issuer.certificate.checkMayIssue(asAnchor: asAnchor, over: authorities)
    }
    if !asAnchor || policy.anchorDates == .checked {
      try checkStart(of: issuer.certificate)
      if !policy.tolerated.contains(.authorityExpired) { try checkEnd(of: issuer.certificate) }
    }
    try checkCriticalExtensions(of: issuer.certificate)
    guard signatureChecksLeft > 0 else { throw CryptoError(.certificatePathTooComplex) }
    signatureChecksLeft -= 1
    try issuer.key.verify(certificate.signature, sha1Signatures: policy.sha1Signatures)
    try checkRevocation(of: certificate, by: issuer)
  }

  /// RFC 5280 §6.1.3 (a) (2) for the leaf. The policy may ignore its dates.
  private func checkLeafDates(of leaf: Certificate) throws(CryptoError) {
    if !policy.tolerated.contains(.leafNotYetValid) { try checkStart(of: leaf) }
    if policy.leafDates == .checked, !policy.tolerated.contains(.leafExpired) { try checkEnd(of: leaf) }
  }

  private func checkStart(of certificate: Certificate) throws(CryptoError) {
    guard certificate.notBefore <= time else {
      throw CryptoError(.certificateNotYetValid, "\(certificate.subject): from \(certificate.notBefore), at \(time)")
    }
  }

  private func checkEnd(of certificate: Certificate) throws(CryptoError) {
    guard time <= certificate.notAfter else {
      throw CryptoError(.certificateExpired, "\(certificate.subject): until \(certificate.notAfter), at \(time)")
    }
  }

  /// RFC 5280 §6.1.4 (o) and §6.1.5 (f).
  private func checkCriticalExtensions(of certificate: Certificate) throws(CryptoError) {
    for `extension` in certificate.extensions where !isHandled(`extension`) {
      throw CryptoError(.certificateUnhandledCriticalExtension, "\(`extension`.identifier)")
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

  private mutating func passes(_ check: (inout Self) throws(CryptoError) -> Void) -> Bool {
    do throws(CryptoError) {
      try check(&self)
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Keeps the first failure, which belongs to the nearest candidate.
  private mutating func note(_ failure: CryptoError) {
    firstFailure = firstFailure ?? failure
  }
}

extension Certificate {
  /// Checks RFC 5280 §6.1.4 (k) to (n): the certificate is an authority, may sign certificates, and allows this many
  /// authorities below it.
  fileprivate func checkMayIssue(asAnchor: Bool, over authorities: [Certificate]) throws(CryptoError) {
    if let basicConstraints {
      guard basicConstraints.isAuthority else { throw CryptoError(.certificateNotAnAuthority, "\(subject)") }
    } else {
      // Certificates of version 1 and 2 cannot state that they are authorities, and some roots state it by key usage
      // alone. An anchor is an authority by configuration; an intermediate is not.
      guard asAnchor, version < 3 || keyUsage?.contains(.certificateSigning) == true else {
        throw CryptoError(.certificateNotAnAuthority, "\(subject)")
      }
    }
    guard keyUsage?.contains(.certificateSigning) ?? true else {
      throw CryptoError(.certificateKeyUsage, "\(subject) may not sign certificates")
    }
    // RFC 5280 §6.1.1 (d) takes only the name and key of an anchor. We also require it to be an authority, but ignore
    // its path length, because a real root has path length 0 and authorities below it.
    if !asAnchor, let pathLength = basicConstraints?.pathLength {
      guard authorities.count(where: { !$0.isSelfIssued }) <= pathLength else {
        throw CryptoError(.certificatePathTooLong, "\(subject) allows \(pathLength) authorities below it")
      }
    }
  }
}
