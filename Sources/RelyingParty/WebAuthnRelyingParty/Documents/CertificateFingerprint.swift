// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats

/// The SHA-256 fingerprint of the certificate that signs an Android application.
package struct CertificateFingerprint: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  private static let byteCount = 32

  /// Creates a fingerprint from 32 bytes.
  ///
  /// - Throws: `document.fingerprint-invalid` for another number of bytes.
  package init(_ bytes: [UInt8]) throws(CeremonyError) {
    guard bytes.count == Self.byteCount else {
      throw CeremonyError(.documentFingerprintInvalid, .init("32 bytes", "\(bytes.count) bytes"))
    }
    self.bytes = bytes
  }

  /// Parses the format of `keytool` and the Play Console: 32 pairs of hex digits, separated by colons.
  ///
  /// - Throws: `document.fingerprint-invalid` for any other format.
  package init(colonSeparated text: String) throws(CeremonyError) {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    guard pairs.count == Self.byteCount, pairs.allSatisfy({ $0.utf8.count == 2 }),
      let bytes = try? Hex.decode(pairs.joined())
    else { throw CeremonyError(.documentFingerprintInvalid, .init("32 pairs of hex digits between colons", text)) }
    self.bytes = bytes
  }

  /// Computes the fingerprint of a certificate.
  package init(of certificate: X509Certificate) {
    bytes = certificate.sha256Fingerprint
  }
}

extension CertificateFingerprint: CustomStringConvertible {
  /// Pairs of uppercase hex digits, separated by colons: the only format that Android accepts.
  package var description: String { bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":") }
}
