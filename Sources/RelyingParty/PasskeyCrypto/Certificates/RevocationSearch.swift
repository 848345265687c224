// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Limits
//   signature checks: 64 [PathSearch's 32 for the certificates, and 32 for the lists]

/// A search for revoked certificates among a leaf and all its possible issuers, independent of other path failures.
///
/// ``PathSearch`` stops at the first failure, and the sender of the certificates can choose that failure with a decoy
/// of the issuer's name or by omitting an issuer. This search checks only signatures and follows every candidate.
struct RevocationSearch {
  let store: TrustStore
  let revocationLists: [RevocationList]

  private let leaf: X509Certificate
  private let candidates: [X509Certificate]
  private var signatureChecksLeft = Self.maximumSignatureChecks
  private var reachesAnchor = false

  private static let maximumSignatureChecks = 64

  /// Keeps the candidates that are reachable from the leaf by name.
  init(of leaf: X509Certificate, in store: TrustStore, candidates: [X509Certificate], revocationLists: [RevocationList])
  {
    self.leaf = leaf
    self.store = store
    self.revocationLists = revocationLists
    // The sender of the certificates chooses the length of their names: each is folded once.
    var reached: [X509Certificate] = []
    var left = candidates.filter { $0 != leaf }.map { (certificate: $0, subject: $0.subject.folded) }
    var names: Set = [leaf.issuer.folded]
    while let place = left.firstIndex(where: { names.contains($0.subject) }) {
      let next = left.remove(at: place).certificate
      guard !reached.contains(next) else { continue }
      reached.append(next)
      names.insert(next.issuer.folded)
    }
    self.candidates = reached
  }

  /// Checks that no list revokes a certificate that may be on a path from the leaf.
  ///
  /// If a path leads to an anchor, only lists that the certificate's issuer signed count. If none does, the issuer's
  /// key is unknown because the sender omitted the issuer. Any list that names the certificate then counts.
  /// - Throws: `certificate.revoked`; `certificate.issuer-omitted` if no signatures lead to an anchor and a list of the
  ///   issuer's organization has revocations, one of which may be the missing issuer.
  mutating func requireNoRevocation(hasPath: Bool) throws(PasskeyCryptoError) {
    let named = firstListedCertificate()
    guard named != nil || !hasPath else { return }
    if store.contains(leaf) {
      reachesAnchor = true
      try requireNoRevocation(ofAnchor: leaf)
    }
    try follow(leaf, below: [leaf])
    guard !reachesAnchor || signatureChecksLeft == 0 else { return }
    if let named { throw Self.revoked(named.certificate, named.revocation) }
    if !hasPath, let issuer = omittedIssuer() { throw PasskeyCryptoError(.certificateIssuerOmitted, "\(issuer)") }
  }

  private func firstListedCertificate() -> (certificate: X509Certificate, revocation: RevocationList.Revocation)? {
    let below = [leaf] + candidates
    let anchors = below.flatMap { store.issuers(named: $0.issuer).map(\.certificate) }
    for certificate in below + anchors {
      for list in revocationLists {
        if let revocation = list.revocation(naming: certificate) { return (certificate, revocation) }
      }
    }
    return nil
  }

  /// Follows every signature upward from `certificate`, which is the last of `path`.
  private mutating func follow(_ certificate: X509Certificate, below path: [X509Certificate]) throws(PasskeyCryptoError)
  {
    for anchor in store.issuers(named: certificate.issuer) where isSigned(certificate.signature, by: anchor) {
      reachesAnchor = true
      try requireNoRevocation(of: certificate, by: anchor)
      try requireNoRevocation(ofAnchor: anchor.certificate)
    }
    for candidate in candidates where candidate.subject == certificate.issuer && !path.contains(candidate) {
      let issuer = Issuer(candidate)
      guard isSigned(certificate.signature, by: issuer) else { continue }
      try requireNoRevocation(of: certificate, by: issuer)
      try follow(candidate, below: path + [candidate])
    }
  }

  private mutating func requireNoRevocation(
    of certificate: X509Certificate, by issuer: Issuer
  ) throws(PasskeyCryptoError) {
    for list in revocationLists {
      guard let revocation = list.revocation(naming: certificate) else { continue }
      guard isSigned(list.signature, by: issuer) || isSignedByOtherKeyOfIssuer(list, of: issuer) else { continue }
      throw Self.revoked(certificate, revocation)
    }
  }

  /// Checks an anchor that is not a root. Its issuer may be unknown, so a list that names the anchor counts unsigned.
  private mutating func requireNoRevocation(ofAnchor anchor: X509Certificate) throws(PasskeyCryptoError) {
    for list in revocationLists {
      guard let revocation = list.revocation(naming: anchor) else { continue }
      guard
        !anchor.isSelfIssued || isSigned(list.signature, by: Issuer(anchor))
          || isSignedByOtherKeyOfIssuer(list, of: Issuer(anchor))
      else { continue }
      throw Self.revoked(anchor, revocation)
    }
  }

  /// Whether another certificate with the issuer's name has the key that signed the list.
  ///
  /// An authority that has changed its key signs lists of its older certificates with the new one (RFC 5280 §6.3.3 (f)).
  private mutating func isSignedByOtherKeyOfIssuer(_ list: RevocationList, of issuer: Issuer) -> Bool {
    let known = candidates.filter { $0.subject == list.issuer && $0 != issuer.certificate }.map(Issuer.init)
    let anchors = store.issuers(named: list.issuer).filter { $0.certificate != issuer.certificate }
    for namesake in anchors + known where isSigned(list.signature, by: namesake) { return true }
    return false
  }

  /// Accepts SHA-1: even a weak signature shows which path the sender means.
  private mutating func isSigned(_ signature: CertificateSignature, by issuer: Issuer) -> Bool {
    guard signatureChecksLeft > 0 else { return false }
    signatureChecksLeft -= 1
    do throws(PasskeyCryptoError) {
      try issuer.key.verify(signature, sha1Signatures: .accepted)
      return true
    } catch {
      return false
    }
  }

  /// Returns the first issuer on the way up whose organization has revoked certificates. Names without an organization
  /// count as one organization.
  private func omittedIssuer() -> DistinguishedName? {
    let organizations = revocationLists.filter { $0.count > 0 }.map(\.issuer.organization)
    return ([leaf] + candidates).map(\.issuer).first { organizations.contains($0.organization) }
  }

  private static func revoked(
    _ certificate: X509Certificate, _ revocation: RevocationList.Revocation
  ) -> PasskeyCryptoError {
    PasskeyCryptoError(.certificateRevoked, "\(certificate.subject), at \(revocation.date)")
  }
}
