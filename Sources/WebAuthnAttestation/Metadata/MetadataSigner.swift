// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto

/// Who may sign metadata.
public struct MetadataSigner: Sendable {
  /// The authorities that a path from the signer's certificate must lead to.
  public let anchors: TrustStore

  /// The host that the signer's certificate must name; nil where the anchors certify nobody else.
  public let hostName: String?

  /// A signer of one's own, below these authorities.
  public init(anchors: [Certificate], hostName: String?) {
    self.anchors = TrustStore(anchors)
    self.hostName = hostName
  }

  /// The FIDO Alliance: its host's certificate, below GlobalSign's root R3. That authority certifies many hosts, so the
  /// name matters as much as the path.
  public static let fidoAlliance = Self(
    anchors: [Certificate.globalSignRootR3].compactMap(\.self), hostName: "mds.fidoalliance.org")
}
