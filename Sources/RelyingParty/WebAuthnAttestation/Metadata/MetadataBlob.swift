// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

// Limits
//   token 32 MiB [the real one had 4 MB at the end of 2024, half of it images]

/// Metadata about authenticators, signed by a service (FIDO Metadata Service 3.0 §3.1.6 and §3.2).
///
/// The only way to create one is to verify a token. The caller downloads the token, and stores it and its number for
/// the next verification.
public struct MetadataBlob: Sendable {
  /// The number of this BLOB. It increases with each publication.
  public let number: UInt64

  /// The day of the next scheduled update, as its start in UTC.
  public let nextUpdate: UnixTime

  /// The readable entries, in the token's order.
  package let entries: [Entry]

  /// The unreadable entries.
  package let refusedEntries: [RefusedMetadataEntry]

  /// The path from the signer to the trust anchor.
  package let signerPath: X509Certificate.Path

  /// The whole signed payload, including members that this type does not model.
  package let json: JSONValue

  /// The hash function of the token's signature, which the hashes in the entries use too.
  let signatureHash: COSEHash

  private let index: MetadataIndex

  /// The maximum length of a token.
  package static let maximumByteCount = 1 << 25

  /// The response to a BLOB whose next update is overdue.
  package enum Expiry: Sendable {
    /// The BLOB is refused.
    case refused
    /// The BLOB is used despite its age.
    case used
  }

  /// Verifies a token and parses its payload.
  ///
  /// `lastNumber` is the number of the last BLOB that was used. An older one is refused, so that an attacker cannot
  /// roll back status reports. The same number is accepted again.
  ///
  /// - Throws: `metadata.too-large`, `metadata.malformed-payload`, `metadata.number-gone-back` or `metadata.expired`,
  ///   or the code of a token whose signature or certificate path is not valid, such as `metadata.invalid-signature`.
  public init(
    verifying token: [UInt8], at time: UnixTime, lastNumber: UInt64 = 0
  ) throws(AttestationError) {
    try self.init(verifying: token, signedBy: .fidoAlliance, at: time, lastNumber: lastNumber)
  }

  /// Verifies a token of `signer` whose certificate path is judged by `policy`.
  package init(
    verifying token: [UInt8],
    signedBy signer: MetadataSigner = .fidoAlliance,
    at time: UnixTime,
    lastNumber: UInt64 = 0,
    expiry: Expiry = .refused,
    revocationLists: [RevocationList] = [],
    policy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws(AttestationError) {
    guard token.count <= Self.maximumByteCount else {
      throw AttestationError(.metadataTooLarge, "\(token.count) bytes")
    }
    let payload: [UInt8]
    (payload, signerPath, signatureHash) = try MetadataToken(
      signer: signer, time: time, revocationLists: revocationLists, policy: policy
    )
    .verify(token)

    let entries: JSONElements
    let nextUpdate: String
    do throws(WireError) {
      json = try JSON.parse(payload, maximumSize: Self.maximumByteCount)
      number = try json.require("no").uint64
      nextUpdate = try json.require("nextUpdate").string
      entries = try json.require("entries").array
    } catch {
      throw AttestationError(.metadataMalformedPayload, error)
    }
    guard number >= lastNumber else {
      throw AttestationError(.metadataNumberGoneBack, "from \(lastNumber) to \(number)")
    }
    guard let nextUpdate = UnixTime(metadataDate: nextUpdate) else {
      throw AttestationError(.metadataMalformedPayload, "nextUpdate \(nextUpdate)")
    }
    self.nextUpdate = nextUpdate
    // The day itself still counts, because the hour of the next update is not specified.
    guard expiry == .used || time < nextUpdate + .seconds(86_400) else {
      throw AttestationError(.metadataExpired, "next update \(nextUpdate), at \(time)")
    }
    (self.entries, refusedEntries) = Self.read(entries)
    index = MetadataIndex(self.entries, refusedEntries)
  }

  private static func read(_ elements: JSONElements) -> ([Entry], [RefusedMetadataEntry]) {
    var entries: [Entry] = []
    var refused: [RefusedMetadataEntry] = []
    var certificates = MetadataCertificates()
    var models: Set<AAGUID> = []
    for (index, element) in elements.enumerated() {
      do throws(AttestationError) {
        let entry = try Entry(element, &certificates)
        if let aaguid = entry.aaguid, !models.insert(aaguid).inserted {
          throw AttestationError(.metadataMalformedEntry, "\(aaguid) occurs twice")
        }
        entries.append(entry)
      } catch {
        refused.append(RefusedMetadataEntry(element, at: index, error, &certificates))
      }
    }
    return (entries, refused)
  }
}

extension MetadataBlob {
  /// The entry of a FIDO2 model; nil if the metadata do not contain it.
  public subscript(aaguid: AAGUID) -> Entry? {
    index.byAAGUID[aaguid]?.entries.first.map { entries[$0] }
  }

  /// The entry of the U2F model with this key identifier of its attestation certificate, or of the issuing authority:
  /// the SHA-1 of the public key bits.
  package func entry(certificateKeyIdentifier identifier: some ByteSource) -> Entry? {
    index.byKeyIdentifier[identifier.slice]?.entries.first.map { entries[$0] }
  }
}

extension MetadataBlob {
  /// The entries about a FIDO2 model.
  func listing(of aaguid: AAGUID) -> MetadataListing { listing(of: index.byAAGUID[aaguid]) }

  /// The entries about the U2F model of a certificate with the first of these key identifiers that the BLOB knows.
  func listing(ofKeyIdentifiers identifiers: [Bytes]) -> MetadataListing {
    identifiers.lazy.map { self.listing(of: index.byKeyIdentifier[$0]) }.first { !$0.isEmpty } ?? MetadataListing()
  }

  /// Whether the BLOB lists one of the certificates as an anchor for packed attestation of a model other than this one.
  func isShared(_ path: [X509Certificate], beside model: AAGUID) -> Bool {
    path.contains { index.modelsByKey[$0.subjectPublicKeyInfo.encoded]?.contains { $0 != model } ?? false }
  }

  /// The reports of any model that a key of these certificates is compromised.
  func compromises(of certificates: [X509Certificate]) -> StatusHistory {
    StatusHistory(certificates.flatMap { index.reportsByKey[$0.subjectPublicKeyInfo.encoded] ?? [] })
  }

  private func listing(of places: MetadataIndex.Places?) -> MetadataListing {
    guard let places else { return MetadataListing() }
    return MetadataListing(
      entries: places.entries.map { entries[$0] }, refused: places.refused.map { refusedEntries[$0] })
  }
}

extension MetadataBlob {
  /// Parses the rogue list at an entry's `rogueListURL`, after comparing its hash with the entry's `rogueListHash`.
  ///
  /// The hash is computed over the base64url encoding of the text, with the hash function of the token's signature
  /// (FIDO Metadata Service 3.0 §3.1.1). It makes the list as trustworthy as the metadata, regardless of the download
  /// source.
  /// - Throws: `metadata.rogue-list-mismatch` if the hashes differ or the entry has none,
  ///   `metadata.rogue-list-malformed`.
  package func rogueList(json text: [UInt8], of entry: Entry) throws(AttestationError) -> RogueList {
    guard text.count <= RogueList.maximumByteCount else {
      throw AttestationError(.rogueListMalformed, "\(text.count) bytes, at most \(RogueList.maximumByteCount)")
    }
    let hash = Digest.hash([UInt8](Base64URL.encode(text).utf8), with: signatureHash)
    guard let expected = entry.rogueListHash else {
      throw AttestationError(.rogueListMismatch, "the entry has no rogueListHash")
    }
    guard hash == expected else {
      throw AttestationError(.rogueListMismatch, expected: Hex.encode(expected), received: Hex.encode(hash))
    }
    return try RogueList(json: text)
  }
}
