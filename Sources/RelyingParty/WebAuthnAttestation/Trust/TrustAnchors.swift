// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import WebAuthnTypes

/// The trusted authorities of a relying party, and the models and formats for which each is trusted.
///
/// Only the most specific configuration applies: anchors for the model (by AAGUID), else those in its metadata, else
/// those for the format, else those for everything. A vendor's root in the metadata therefore vouches for that vendor's
/// models only, and only for the formats that the entry supports (`MetadataBlob.Entry.attestationFormats`). If metadata
/// contain the model but not the statement's format, the statement is not anchored. Anchors never come from a response.
public struct TrustAnchors: Sendable {
  /// Metadata of FIDO or another service, which contain anchors for each model.
  package let metadata: MetadataBlob?

  private let byAAGUID: [AAGUID: TrustStore]
  private let byFormat: [AttestationFormat: TrustStore]
  private let forEverything: TrustStore?

  /// Creates a set of anchors; without any, no authority is trusted. An empty list means that no authority is trusted
  /// for this model or format, and less specific anchors do not apply.
  ///
  /// Authorities in `forEverything` should certify authenticators only. The CA above SafetyNet's certificate, for
  /// example, certifies web servers: configure it for that format.
  public init(
    byAAGUID: [AAGUID: [X509Certificate]] = [:],
    metadata: MetadataBlob? = nil,
    byFormat: [AttestationFormat: [X509Certificate]] = [:],
    forEverything: [X509Certificate]? = nil
  ) {
    self.byAAGUID = byAAGUID.mapValues { TrustStore($0) }
    self.metadata = metadata
    self.byFormat = byFormat.mapValues { TrustStore($0) }
    self.forEverything = forEverything.map { TrustStore($0) }
  }

  /// Returns what the metadata say about the authenticator that made a statement.
  ///
  /// U2F statements contain no model, so the entry is found by the key identifier of the certificate. Some entries list that
  /// of the issuing authority instead, which the statement omits but the certificate may name.
  func listing(_ format: AttestationFormat, _ aaguid: AAGUID, _ certificates: [X509Certificate]) -> MetadataListing {
    guard let metadata else { return MetadataListing() }
    guard format == .fidoU2F else { return aaguid == .zero ? MetadataListing() : metadata.listing(of: aaguid) }
    let identifiers = certificates.flatMap { (certificate) in
      [certificate.keyIdentifier[...], certificate.authorityKeyIdentifier].compactMap(\.self)
    }
    return metadata.listing(ofKeyIdentifiers: identifiers)
  }

  /// Returns the anchors that may vouch for a statement, or the reason for the lack of anchors.
  func store(
    _ format: AttestationFormat, _ aaguid: AAGUID, _ listing: MetadataListing
  ) -> AnchorChoice {
    if format != .fidoU2F, let store = byAAGUID[aaguid] { return .anchors(store) }
    // A model whose entry cannot be read has no other anchors either: they may be what the entry takes back.
    guard !listing.isUnreadable else { return .none(.metadataUnreadable) }
    let entry = listing.entry
    if let entry, let statement = entry.statement {
      if entry.attestationFormats.contains(format) { return .anchors(statement.trustStore) }
      guard SharedModel.named(aaguid)?.anchoredByFormat.contains(format) == true else {
        return .none(.formatNotInMetadata)
      }
    }
    guard let store = byFormat[format] ?? forEverything else {
      return .none(metadata == nil || entry != nil ? .noAnchorsConfigured : .modelNotInMetadata)
    }
    return .anchors(store)
  }
}

/// The anchors that may vouch for a statement.
enum AnchorChoice {
  case anchors(TrustStore)
  case none(AttestationOutcome.UnanchoredReason)
}
