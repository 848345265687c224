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
