// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

// Limits
//   list 2 MiB         [no entry of the real BLOB has a list; a key and its date take some 100 bytes]
//   entries 10,000     [parsing each derives up to two public keys, which takes some 50 µs]

// RogueListEntry = { "sk": base64url, "date": ISO 8601 date }                (FIDO Metadata Service 3.0 §3.1.7)

/// A list of individual authenticators whose secret keys have leaked: the JSON text at the `rogueListURL` of a metadata
/// entry.
///
/// The service publishes the secret keys themselves. This type derives the public key of each, on P-256 and Ed25519 (32
/// bytes), P-384 (48) and P-521 (66). An attestation whose certificate or credential has one of these keys is refused.
package struct RogueList: Sendable {
  /// The number of keys on the list, including keys of unknown kinds.
  package let count: Int

  /// The day since which each key is known to have leaked.
  private let dates: [COSEKey.Material: UnixTime]

  /// The maximum length of a list.
  package static let maximumByteCount = 1 << 21

  private static let maximumEntryCount = 10_000

  /// Parses a list from any source. ``MetadataBlob/rogueList(json:of:)`` also verifies the hash in the
  /// metadata.
  ///
  /// - Throws: `metadata.rogue-list-malformed`.
  package init(json text: [UInt8]) throws(AttestationError) {
    guard text.count <= Self.maximumByteCount else {
      throw AttestationError(.rogueListMalformed, "\(text.count) bytes, at most \(Self.maximumByteCount)")
    }
    var count = 0
    var dates: [COSEKey.Material: UnixTime] = [:]
    do throws(WireError) {
      for item in try JSON.parse(text, maximumSize: Self.maximumByteCount).array {
        guard count < Self.maximumEntryCount else { throw WireError(.jsonTooLarge, at: item.offset) }
        count += 1
        let date = try item.require("date")
        guard let day = UnixTime(metadataDate: try date.string) else {
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

  /// Returns the day since which the secret key of a certificate has been public; nil if the list does not contain it.
  package func date(of certificate: X509Certificate) -> UnixTime? {
    (try? COSEKey.Material(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded)).flatMap(date)
  }

  /// Returns the same day for a public key.
  func date(of key: COSEKey.Material) -> UnixTime? {
    dates[key]
  }

  /// Returns the possible public keys of a secret key: its length determines the curves.
  private static func publicKeys(of secretKey: [UInt8]) -> [COSEKey.Material] {
    let algorithms: [COSEAlgorithm] =
      switch secretKey.count {
      case 32: [.es256, .ed25519]
      case 48: [.es384]
      case 66: [.es512]
      default: []
      }
    return algorithms.compactMap { algorithm in
      (try? SigningKey(algorithm, privateKey: SecretBytes(secretKey)))?.publicKey.material
    }
  }
}

extension [RogueList] {
  /// Verifies that no list contains the key of the attestation certificate or of the credential.
  func requireUnlisted(
    _ certificate: X509Certificate?, _ credentialKey: COSEKey, at time: UnixTime
  ) throws(AttestationError) {
    for list in self {
      for date in [certificate.flatMap { list.date(of: $0) }, list.date(of: credentialKey.material)] {
        guard let date, date <= time else { continue }
        throw AttestationError(.authenticatorRogue, "its private key has been known since \(date)")
      }
    }
  }
}
