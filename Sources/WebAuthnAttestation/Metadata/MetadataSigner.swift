// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto

/// A trusted signer of metadata.
public struct MetadataSigner: Sendable {
  /// The trust anchors for the signer's certificate.
  public let anchors: TrustStore

  /// The host name that the signer's certificate must contain; nil if the anchors certify only the signer.
  public let hostName: String?

  /// Creates a custom signer below these authorities.
  public init(anchors: [Certificate], hostName: String?) {
    self.anchors = TrustStore(anchors)
    self.hostName = hostName
  }

  /// The FIDO Alliance: its host's certificate, below GlobalSign's root R3. That CA certifies many hosts, so the host
  /// name is as important as the path.
  public static let fidoAlliance = Self(
    anchors: [Certificate.globalSignRootR3].compactMap(\.self), hostName: "mds.fidoalliance.org")
}
