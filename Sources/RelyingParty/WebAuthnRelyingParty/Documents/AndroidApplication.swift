// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

// package = segment 1*( "." segment )      segment = letter *( letter / digit / "_" )

extension DigitalAssetLinks {
  /// An Android application, identified by its package name and signing certificates.
  public struct Application: Hashable, Sendable {
    /// The package name, such as `app.raxx.android`.
    package let packageName: String

    /// The SHA-256 fingerprints of its signing certificates: those of all builds and stores.
    package let fingerprints: [CertificateFingerprint]

    // 255 bytes [the maximum length of a folder name; the system creates one with the package name]
    private static let maximumPackageNameByteCount = 255

    /// Creates an application. Requires a fingerprint, because the package name alone does not identify the publisher.
    ///
    /// Fingerprints have the format of `keytool` and the Play Console: 32 pairs of hex digits, separated by colons.
    ///
    /// - Throws: `document.application-invalid` for a malformed package name, `document.fingerprint-invalid` for a
    ///   malformed fingerprint or without one.
    public init(packageName: String, fingerprints: [String]) throws(CeremonyError) {
      let segments = packageName.split(separator: ".", omittingEmptySubsequences: false)
      guard segments.count >= 2, packageName.utf8.count <= Self.maximumPackageNameByteCount,
        segments.allSatisfy(Self.isSegment)
      else {
        throw CeremonyError(
          .documentApplicationInvalid, .init("a package of at least two segments, such as app.raxx", packageName))
      }
      guard !fingerprints.isEmpty else {
        throw CeremonyError(.documentFingerprintInvalid, .init("at least one certificate", "none"))
      }
      self.packageName = packageName
      self.fingerprints = try fingerprints.map { (text) throws(CeremonyError) in
        try CertificateFingerprint(colonSeparated: text)
      }
    }

    /// The origins of the application's ceremonies, one for each certificate. Add them to the relying party's origins.
    public var origins: [WebOrigin] {
      fingerprints.compactMap { try? WebOrigin("android:apk-key-hash:\(Base64URL.encode($0.bytes))") }
    }

    private static func isSegment(_ segment: Substring) -> Bool {
      guard let first = segment.utf8.first, isLetter(first) else { return false }
      return segment.utf8.allSatisfy {
        isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "_")
      }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: false
      }
    }
  }
}
