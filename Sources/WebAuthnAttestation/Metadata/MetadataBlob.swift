// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

// Limits
//   token 32 MiB [the real one had 4 MB at the end of 2024, half of it pictures]

/// Metadata about authenticators, signed by a service (FIDO Metadata Service 3.0 §3.1.6 and §3.2).
///
/// There is no way to have one but to verify it. Where it comes from, and where it and its number are kept for the next
/// time, is the caller's business.
public struct MetadataBlob: Sendable {
  /// The number of this issue. The next one has a higher one.
  public let number: UInt64

  /// The day by which the next issue will be there, at its beginning in UTC.
  public let nextUpdate: Timestamp

  /// What can be read, in the token's order.
  public let entries: [MetadataEntry]

  /// What cannot.
  public let refusedEntries: [RefusedEntry]

  /// The path from the signer to the anchor.
  public let signerPath: CertificatePath

  /// Everything that was signed, with everything that is not understood here.
  public let json: JSONValue

  /// The hash function of the token's signature: hashes in the entries are made with it.
  let signatureHash: COSEHash

  private let byAAGUID: [AAGUID: Int]
  private let byKeyIdentifier: [Bytes: Int]

  /// The longest token that is read.
  public static let maximumByteCount = 1 << 25

  /// An entry that cannot be read. It is lost alone.
  public struct RefusedEntry: Sendable {
    /// Which one, from 0.
    public let index: Int

    /// Why.
    public let error: AttestationError
  }

  /// What to do with an issue whose successor is overdue.
  public enum Expiry: Sendable {
    /// It is refused.
    case refused
    /// It is better than none.
    case used
  }

  /// Verifies a token and reads what it says.
  ///
  /// `lastNumber` is the number of the last issue that was used: an older one is refused, so that nobody can take back
  /// what was reported since. The same one may be read again.
  public init(
    verifying token: Bytes,
    signedBy signer: MetadataSigner = .fidoAlliance,
    at time: Timestamp,
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
      json = try JSON.parse(payload[...], maximumSize: Self.maximumByteCount)
      number = try json.require("no").uint64
      nextUpdate = try json.require("nextUpdate").string
      entries = try json.require("entries").array
    } catch {
      throw AttestationError(.metadataMalformedPayload, error)
    }
    guard number >= lastNumber else {
      throw AttestationError(.metadataNumberGoneBack, "from \(lastNumber) to \(number)")
    }
    guard let nextUpdate = Timestamp(metadataDate: nextUpdate) else {
      throw AttestationError(.metadataMalformedPayload, "nextUpdate \(nextUpdate)")
    }
    self.nextUpdate = nextUpdate
    // The day itself still counts: at which hour the next issue comes, nobody says.
    guard expiry == .used || time < nextUpdate + .seconds(86_400) else {
      throw AttestationError(.metadataExpired, "next update \(nextUpdate), at \(time)")
    }
    (self.entries, refusedEntries) = Self.read(entries)
    byAAGUID = Dictionary(
      self.entries.enumerated().compactMap { index, entry in entry.aaguid.map { ($0, index) } }
    ) { first, _ in first }
    byKeyIdentifier = Dictionary(
      self.entries.enumerated().flatMap { index, entry in entry.certificateKeyIdentifiers.map { ($0[...], index) } }
    ) { first, _ in first }
  }

  private static func read(_ elements: JSONElements) -> ([MetadataEntry], [RefusedEntry]) {
    var entries: [MetadataEntry] = []
    var refused: [RefusedEntry] = []
    var certificates = MetadataCertificates()
    var models: Set<AAGUID> = []
    for (index, element) in elements.enumerated() {
      do throws(AttestationError) {
        let entry = try MetadataEntry(element, &certificates)
        if let aaguid = entry.aaguid, !models.insert(aaguid).inserted {
          throw AttestationError(.metadataMalformedEntry, "\(aaguid) a second time")
        }
        entries.append(entry)
      } catch {
        refused.append(RefusedEntry(index: index, error: error))
      }
    }
    return (entries, refused)
  }
}

extension MetadataBlob {
  /// The entry of a FIDO2 model.
  public subscript(aaguid: AAGUID) -> MetadataEntry? {
    byAAGUID[aaguid].map { entries[$0] }
  }

  /// The entry of the U2F model whose attestation certificate, or its authority, has the key with this name: the SHA-1
  /// of the bits of the key.
  public func entry(certificateKeyIdentifier identifier: Bytes) -> MetadataEntry? {
    byKeyIdentifier[identifier].map { entries[$0] }
  }
}
