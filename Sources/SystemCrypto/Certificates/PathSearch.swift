// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// Limits
//   intermediates 16     [attestation statements carry up to 4, FIDO metadata up to 3]
//   signature checks 32  [a path of 8 needs 7; the rest is for several authorities of one name. A hostile statement can
//                         name all of its certificates alike and would have us try every order]

/// One search for a path from a leaf to an anchor, depth first (RFC 5280 §6.1, from the leaf up).
struct PathSearch {
  let store: TrustStore
  let intermediates: [Certificate]

  /// The caller's authorities before those that came with the leaf: no number of decoys keeps the search from them.
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

  /// Finds the first valid path, or reports the first failure.
  ///
  /// A revocation outranks every other result: also a valid path beside the revoked one, and any earlier failure.
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
    // A search that was cut short has not seen everything, and no other failure is the whole reason.
    guard signatureChecksLeft > 0 else { throw CryptoError(.certificatePathTooComplex) }
    throw firstFailure ?? CryptoError(.certificateUnknownAuthority, "\(leaf.issuer)")
  }

  /// The issuers from that of `certificate` to an anchor. `authorities` stand between the leaf and `certificate`, which
  /// is the last of them or, where there are none, the leaf.
  private mutating func findIssuers(of certificate: Certificate, below authorities: [Certificate]) -> [Certificate]? {
    let anchors = store.issuers(named: certificate.issuer)
    for anchor in anchors {
      let isGood = passes { (search) throws(CryptoError) in
        try search.check(certificate, issuedBy: anchor, asAnchor: true, over: authorities)
      }
      if isGood { return [anchor.certificate] }
    }
    var foundAuthority = false
    for candidate in candidates
    where candidate.subject == certificate.issuer && candidate != certificate && !authorities.contains(candidate) {
      foundAuthority = true
      let isGood = passes { (search) throws(CryptoError) in
        try search.check(certificate, issuedBy: Issuer(candidate), asAnchor: false, over: authorities)
      }
      if isGood, let issuers = findIssuers(of: candidate, below: authorities + [candidate]) {
        return [candidate] + issuers
      }
    }
    if anchors.isEmpty && !foundAuthority {
      note(CryptoError(.certificateUnknownAuthority, "\(certificate.issuer)"))
    }
    return nil
  }

  /// Everything that one step up demands, the cheap things first.
  private mutating func check(
    _ certificate: Certificate, issuedBy issuer: Issuer, asAnchor: Bool, over authorities: [Certificate]
  ) throws(CryptoError) {
    guard authorities.count + 2 <= policy.maximumLength else {
      throw CryptoError(.certificatePathTooLong, "more than \(policy.maximumLength) certificates")
    }
    try issuer.certificate.checkMayIssue(asAnchor: asAnchor, over: authorities)
    if !asAnchor || policy.anchorDates == .judged { try checkDates(of: issuer.certificate) }
    try checkCriticalExtensions(of: issuer.certificate)
    guard signatureChecksLeft > 0 else { throw CryptoError(.certificatePathTooComplex) }
    signatureChecksLeft -= 1
    try issuer.key.verify(certificate.signature, sha1Signatures: policy.sha1Signatures)
    try checkRevocation(of: certificate, by: issuer)
  }

  /// RFC 5280 §6.1.3 (a) (2), for the leaf, whose end the policy may leave unjudged.
  private func checkLeafDates(of leaf: Certificate) throws(CryptoError) {
    guard policy.leafDates == .expiryIgnored, time > leaf.notAfter else { return try checkDates(of: leaf) }
  }

  /// RFC 5280 §6.1.3 (a) (2).
  private func checkDates(of certificate: Certificate) throws(CryptoError) {
    guard certificate.notBefore <= time else {
      throw CryptoError(.certificateNotYetValid, "\(certificate.subject): from \(certificate.notBefore), at \(time)")
    }
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
    // Name constraints bind every implementation that understands them, critical or not. This one does not, and no known
    // attestation authority has them. Ignoring them would trust an authority for names outside its constraints.
    if `extension`.identifier == .nameConstraints { return false }
    return !`extension`.isCritical || Self.handledExtensions.contains(`extension`.identifier)
      || policy.handledCriticalExtensions.contains(`extension`.identifier)
  }

  /// Those that are judged here, and those that ask for nothing where no policy is asked for. Policy constraints are
  /// not among them: they can ask for a policy.
  private static let handledExtensions: Set<ObjectIdentifier> = [
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

  /// Keeps the first failure: it belongs to the candidate that was nearest.
  private mutating func note(_ failure: CryptoError) {
    firstFailure = firstFailure ?? failure
  }
}

extension Certificate {
  /// RFC 5280 §6.1.4 (k) to (n): it is an authority, may sign certificates, and may have so many authorities below it.
  fileprivate func checkMayIssue(asAnchor: Bool, over authorities: [Certificate]) throws(CryptoError) {
    if let basicConstraints {
      guard basicConstraints.isAuthority else { throw CryptoError(.certificateNotAnAuthority, "\(subject)") }
    } else {
      // A certificate of version 1 or 2 cannot state that it is an authority, and some roots state it by key usage alone.
      // For an anchor the configuration states it; for an intermediate nothing does.
      guard asAnchor, version < 3 || keyUsage?.contains(.certificateSigning) == true else {
        throw CryptoError(.certificateNotAnAuthority, "\(subject)")
      }
    }
    guard keyUsage?.contains(.certificateSigning) ?? true else {
      throw CryptoError(.certificateKeyUsage, "\(subject) may not sign certificates")
    }
    // Of an anchor, RFC 5280 §6.1.1 (d) takes the name and the key. Here it must be an authority besides; how far it may
    // reach is left to who configured it, since a real root says 0 and has authorities below it.
    if !asAnchor, let pathLength = basicConstraints?.pathLength {
      guard authorities.count(where: { !$0.isSelfIssued }) <= pathLength else {
        throw CryptoError(.certificatePathTooLong, "\(subject) allows \(pathLength) authorities below it")
      }
    }
  }
}
