// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A path that has been validated: only ``TrustStore`` makes one.
public struct CertificatePath: Sendable {
  /// The certificates from the leaf to the anchor, each issued by the next. A leaf that is an anchor stands alone.
  public let certificates: [Certificate]

  /// What the path is about.
  public let leaf: Certificate

  /// The configured certificate that it ends at.
  public let anchor: Certificate

  /// The moment at which it was judged.
  public let time: Timestamp

  /// Takes a path that is already found good.
  init(validated leaf: Certificate, _ issuers: [Certificate], at time: Timestamp) {
    certificates = [leaf] + issuers
    self.leaf = leaf
    anchor = issuers.last ?? leaf
    self.time = time
  }
}

/// What a path must be like, where RFC 5280 leaves a choice. As it is made, it takes the strict side of each.
///
/// What no policy asks for, because real attestation certificates would fail: purposes (extended key usage is the
/// attestation format's business), certificate policies, and key identifiers that match.
public struct CertificatePathPolicy: Sendable {
  /// The most certificates on a path, leaf and anchor included.
  public var maximumLength = 8

  /// What to do with signatures over SHA-1 below the anchor; an anchor's own signature never matters.
  ///
  /// No TPM, Android, Apple or FIDO authority of today signs so. (That TPMs sign *attestation* with RS1 is another
  /// matter: what they sign is chosen by nobody who could gain from a collision.)
  public var sha1Signatures = SHA1Signatures.refused

  /// Whether an anchor is held to its own dates. RFC 5280 §6.1.1 leaves it open; some anchors in the FIDO metadata have
  /// run out while the authenticators that they vouch for are in use.
  public var anchorDates = AnchorDates.judged

  /// Whether a leaf that has expired still proves something.
  ///
  /// Authenticators carry one batch certificate for life, and some outlive it. The dates of intermediate authorities are
  /// judged in either case; ``anchorDates`` is about the anchor.
  public var leafDates = LeafDates.judged

  /// Which certificates need a revocation list.
  public var revocation = Revocation.whereListed

  /// What to do with a revocation list whose `nextUpdate` is past.
  public var expiredRevocationLists = ExpiredRevocationLists.refused

  /// Critical extensions that the caller will judge itself.
  public var handledCriticalExtensions: Set<ObjectIdentifier> = []

  /// The strict policy.
  public init() {}

  /// What to do with signatures over SHA-1.
  public enum SHA1Signatures: Sendable {
    /// They are no proof.
    case refused
    /// They are believed, for authorities too old to have others.
    case accepted
  }

  /// Whether an anchor is held to its own dates.
  public enum AnchorDates: Sendable {
    /// An anchor outside its dates vouches for nothing.
    case judged
    /// Being configured is enough. A leaf's dates count even then.
    case ignored
  }

  /// Whether a leaf that has expired still proves something.
  public enum LeafDates: Sendable {
    /// A leaf is valid from its first second to its last.
    case judged
    /// A leaf is valid from its first second on, also after its last.
    case expiryIgnored
  }

  /// Which certificates need a revocation list.
  public enum Revocation: Sendable {
    /// Those whose issuer has one among the lists that are given; others are not asked about.
    case whereListed
    /// Every one below the anchor.
    case required
  }

  /// What to do with a revocation list whose `nextUpdate` is past.
  public enum ExpiredRevocationLists: Sendable {
    /// It says nothing about who is not on it. Who is on it stays revoked.
    case refused
    /// It is better than none.
    case used
  }
}
