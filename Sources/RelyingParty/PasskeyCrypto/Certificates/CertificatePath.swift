// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension X509Certificate {
  /// A validated certificate path. Only `TrustStore` creates one.
  public struct Path: Sendable {
    /// The certificates from the leaf to the anchor, each issued by the next. A leaf that is an anchor is the only
    /// element.
    package let certificates: [X509Certificate]

    /// The validated certificate.
    package let leaf: X509Certificate

    /// The trust anchor at the end of the path.
    package let anchor: X509Certificate

    /// The time of validation.
    package let time: UnixTime

    /// Creates a path from validated certificates.
    init(validated leaf: X509Certificate, _ issuers: [X509Certificate], at time: UnixTime) {
      certificates = [leaf] + issuers
      self.leaf = leaf
      anchor = issuers.last ?? leaf
      self.time = time
    }
  }
}

/// The requirements on a path where RFC 5280 leaves a choice. The default is the strict choice.
///
/// No policy checks purposes (extended key usage, which the attestation formats check), certificate policies or
/// matching key identifiers, because real attestation certificates would fail.
@usableFromInline package struct CertificatePathPolicy: Sendable {
  /// The maximum number of certificates on a path, including leaf and anchor.
  package var maximumLength = 8

  /// The treatment of SHA-1 signatures below the anchor. The anchor's own signature is not verified.
  ///
  /// No current TPM, Android, Apple or FIDO authority uses SHA-1 in certificates. TPMs that sign *attestations* with
  /// RS1 are unaffected: an attacker who could produce a collision does not choose what a TPM signs.
  package var sha1Signatures = SHA1Signatures.refused

  /// Whether the validity period of an anchor is checked. RFC 5280 §6.1.1 leaves this open. Some anchors in the FIDO
  /// metadata have expired while their authenticators are in use.
  package var anchorDates = AnchorDates.checked

  /// Whether an expired leaf is rejected.
  ///
  /// Authenticators keep one batch certificate for life, and some outlive it. The validity periods of intermediates are
  /// always checked; see ``anchorDates`` for anchors.
  package var leafDates = LeafDates.checked

  /// The certificates that need a revocation list.
  package var revocation = Revocation.ifListed

  /// The treatment of revocation lists whose `nextUpdate` has passed.
  package var expiredRevocationLists = ExpiredRevocationLists.refused

  /// Critical extensions that the caller checks itself.
  package var handledCriticalExtensions: Set<DERObjectIdentifier> = []

  /// Deviations that a caller tolerates because of the format and the anchors of a path. The caller checks the form of
  /// the path.
  package var tolerated: Set<PathTolerance> = []

  /// Creates the strict policy.
  @usableFromInline package init() {}

  /// The treatment of SHA-1 signatures.
  package enum SHA1Signatures: Sendable {
    /// Rejected.
    case refused
    /// Accepted, for old authorities that have no other signatures.
    case accepted
  }

  /// The treatment of an anchor's validity period.
  package enum AnchorDates: Sendable {
    /// An anchor is rejected outside its validity period.
    case checked
    /// An anchor is accepted at any time. The leaf's validity period is still checked.
    case ignored
  }

  /// The treatment of an expired leaf.
  package enum LeafDates: String, Sendable {
    /// A leaf is rejected outside its validity period.
    case checked = "judged"
    /// A leaf is rejected before its validity period, but accepted after it.
    case expiryIgnored = "expiry-ignored"
  }

  /// The certificates that need a revocation list.
  package enum Revocation: String, Sendable {
    /// Only certificates whose issuer has a list among the given lists.
    case ifListed = "where-listed"
    /// All certificates below the anchor.
    case required
  }

  /// The treatment of revocation lists whose `nextUpdate` has passed.
  package enum ExpiredRevocationLists: Sendable {
    /// An expired list does not prove that a certificate is not revoked. Certificates on it remain revoked.
    case refused
    /// Expired lists are used like current ones.
    case used
  }
}
