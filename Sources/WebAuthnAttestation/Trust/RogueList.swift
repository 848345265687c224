// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import SystemCrypto
public import WireFormats

// Limits
//   list 2 MiB         [no entry of the real BLOB has a list; a key and its date take some 100 bytes]
//   entries 10,000     [each costs the derivation of up to two public keys, some 50 µs, when the list is read]

// RogueListEntry = { "sk": base64url, "date": ISO 8601 date }                (FIDO Metadata Service 3.0 §3.1.7)

/// Individual authenticators whose secret keys are known to others: the JSON text that `rogueListURL` of a metadata entry
/// leads to.
///
/// The service publishes the secret keys themselves. This list derives the public key of each, on P-256 and Ed25519 (32
/// bytes), P-384 (48) and P-521 (66), and refuses an attestation whose certificate or credential has one of them.
public struct RogueList: Sendable {
  /// How many keys are on the list, those that are no keys of a known kind included.
  public let count: Int

  /// From when on each key is known to others.
  private let dates: [COSEKey.Material: Timestamp]

  /// The longest list that is read.
  public static let maximumByteCount = 1 << 21

  private static let maximumEntryCount = 10_000

  /// Reads a list from any source. ``MetadataBlob/rogueList(json:of:)`` also compares it with the hash in the metadata.
  /// - Throws: `metadata.rogue-list-malformed`.
  public init(json text: Bytes) throws(AttestationError) {
    guard text.count <= Self.maximumByteCount else {
      throw AttestationError(.rogueListMalformed, "\(text.count) bytes, at most \(Self.maximumByteCount)")
    }
    var count = 0
    var dates: [COSEKey.Material: Timestamp] = [:]
    do throws(WireError) {
      for item in try JSON.parse(text, maximumSize: Self.maximumByteCount).array {
        guard count < Self.maximumEntryCount else { throw WireError(.jsonTooLarge, at: item.offset) }
        count += 1
        let date = try item.require("date")
        guard let day = Timestamp(metadataDate: try date.string) else {
          throw WireError(.jsonWrongType, at: date.offset)
        }
        for key in Self.publicKeys(of: try item.require("sk").base64URL) {
          dates[key] = min(day, dates[key] ?? day)
        }
      }
    } catch {
      throw AttestationError(.rogueListMalformed, error)
    }
    self.count = count
    self.dates = dates
  }

  /// The day from which on others know the secret key of a certificate; nil where it is not on the list.
  public func date(of certificate: Certificate) -> Timestamp? {
    (try? COSEKey.Material(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded)).flatMap(date)
  }

  /// The same for a public key.
  func date(of key: COSEKey.Material) -> Timestamp? {
    dates[key]
  }

  /// The public keys that a secret key may have: its length leaves one curve of each kind.
  private static func publicKeys(of secretKey: [UInt8]) -> [COSEKey.Material] {
    let algorithms: [COSEAlgorithm] =
      switch secretKey.count {
      case 32: [.es256, .ed25519]
      case 48: [.es384]
      case 66: [.es512]
      default: []
      }
    return algorithms.compactMap { algorithm in
      (try? SigningKey(algorithm, privateKey: SecretBytes(secretKey[...])))?.publicKey.material
    }
  }
}

extension [RogueList] {
  /// Demands that no list has a key of the authenticator: of the attestation certificate, or of the credential.
  func requireNeither(
    _ certificate: Certificate?, nor credentialKey: COSEKey, at time: Timestamp
  ) throws(AttestationError) {
    for list in self {
      for date in [certificate.flatMap { list.date(of: $0) }, list.date(of: credentialKey.material)] {
        guard let date, date <= time else { continue }
        throw AttestationError(.authenticatorRogue, "its secret key is known since \(date)")
      }
    }
  }
}
