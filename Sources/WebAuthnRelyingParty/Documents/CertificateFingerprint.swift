// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// SHA-256 of the certificate that an Android application is signed with.
public struct CertificateFingerprint: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  private static let byteCount = 32

  /// Takes 32 bytes.
  public init(_ bytes: Bytes) throws(CeremonyError) {
    guard bytes.count == Self.byteCount else {
      throw CeremonyError(.documentFingerprintInvalid, .init("32 bytes", "\(bytes.count) bytes"))
    }
    self.bytes = [UInt8](bytes)
  }

  /// Reads the form in which `keytool` and the Play Console show it: 32 pairs of hex digits, with colons between them.
  public init(colonSeparated text: String) throws(CeremonyError) {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    guard pairs.count == Self.byteCount, pairs.allSatisfy({ $0.utf8.count == 2 }),
      let bytes = try? Hex.decode(pairs.joined())
    else { throw CeremonyError(.documentFingerprintInvalid, .init("32 pairs of hex digits between colons", text)) }
    self.bytes = bytes
  }

  /// The fingerprint of a certificate.
  public init(of certificate: Certificate) {
    bytes = certificate.sha256Fingerprint
  }
}

extension CertificateFingerprint: CustomStringConvertible {
  /// Pairs of capital hex digits, with colons between them: the one form that the system understands.
  public var description: String { bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":") }
}
