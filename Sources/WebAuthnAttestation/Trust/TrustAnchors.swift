// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

/// The authorities that a relying party believes, and what it believes them about.
///
/// The narrowest that is configured decides alone: anchors for the model (by AAGUID), else those that metadata have for
/// it, else those for the format, else those for everything. So a maker's root in the metadata vouches for that maker's
/// models only, and only for the formats that its entry supports (``MetadataEntry/attestationFormats``). A statement
/// in another format of a model that metadata know is not anchored. Nothing is ever taken from a response.
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

  /// The anchors that may vouch for a statement, or the reason why there are none.
  func store(
    _ format: AttestationFormat, _ aaguid: AAGUID, _ entry: MetadataEntry?
  ) -> AnchorChoice {
    if format != .fidoU2F, let store = byAAGUID[aaguid] { return .anchors(store) }
    if let statement = entry?.statement {
      if entry?.attestationFormats.contains(format) == true { return .anchors(statement.trustStore) }
      guard SharedModel.named(aaguid)?.anchoredByFormat.contains(format) == true else {
        return .none(.formatNotInMetadata)
      }
    }
    guard let store = byFormat[format] ?? forEverything else { return .none(.noAnchorsConfigured) }
    return .anchors(store)
  }
}

/// The anchors that may vouch for a statement.
enum AnchorChoice {
  case anchors(TrustStore)
  case none(UnanchoredReason)
}
