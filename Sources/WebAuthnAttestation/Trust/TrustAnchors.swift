// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

/// The authorities that a relying party believes, and what it believes them about.
///
/// The narrowest that is configured decides alone: anchors for the model (by AAGUID), else those that metadata have for
/// it, else those for the format, else those for everything. So a maker's root in the metadata vouches for that maker's
/// models only. Nothing is ever taken from a response.
public struct TrustAnchors: Sendable {
  /// Metadata of FIDO's or of somebody else's, in which models have their own anchors.
  public let metadata: MetadataBlob?

  private let byAAGUID: [AAGUID: TrustStore]
  private let byFormat: [AttestationFormat: TrustStore]
  private let forEverything: TrustStore?

  /// Takes anchors; without any, nobody is believed. A list that is there and empty says that nobody is believed about
  /// this, and nothing wider is asked.
  ///
  /// What stands in \`forEverything\` should certify authenticators and nothing else. The authority above SafetyNet's
  /// certificate, for one, certifies web servers: its place is under that format.
  public init(
    byAAGUID: [AAGUID: [Certificate]] = [:],
    metadata: MetadataBlob? = nil,
    byFormat: [AttestationFormat: [Certificate]] = [:],
    forEverything: [Certificate]? = nil
  ) {
    self.byAAGUID = byAAGUID.mapValues { TrustStore($0) }
    self.metadata = metadata
    self.byFormat = byFormat.mapValues { TrustStore($0) }
    self.forEverything = forEverything.map { TrustStore($0) }
  }

  /// What the metadata have about the authenticator that made a statement.
  ///
  /// U2F keys have no model in what they sign, and are found by their certificates' keys.
  func entry(_ format: AttestationFormat, _ aaguid: AAGUID, _ certificates: [Certificate]) -> MetadataEntry? {
    guard let metadata else { return nil }
    guard format == .fidoU2F else { return aaguid == .zero ? nil : metadata[aaguid] }
    for certificate in certificates {
      if let entry = metadata.entry(certificateKeyIdentifier: certificate.keyIdentifier[...]) { return entry }
    }
    return nil
  }

  /// The anchors that may vouch for a statement.
  func store(_ format: AttestationFormat, _ aaguid: AAGUID, _ entry: MetadataEntry?) -> TrustStore? {
    if format != .fidoU2F, let store = byAAGUID[aaguid] { return store }
    return entry?.statement?.trustStore ?? byFormat[format] ?? forEverything
  }
}
