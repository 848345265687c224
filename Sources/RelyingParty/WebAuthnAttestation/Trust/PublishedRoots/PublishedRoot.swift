// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
package import PasskeyFormats
public import WebAuthnTypes

/// A root of an attestation authority, as its owner published it. A root is trusted only if a policy includes it:
///
/// ```swift
/// policy.trustAnchors = TrustAnchors(metadata: blob, byFormat: PublishedRoot.anchors(of: [.apple, .google, .microsoft]))
/// ```
///
/// New roots of an owner require a newer version of this library; ``TrustAnchors`` accepts any other certificate. If
/// the metadata contain anchors for a model, only those apply to it, and not these roots.
public struct PublishedRoot: Sendable {
  /// The group of the root.
  package let group: Group

  /// The owner of the root.
  package let owner: String

  /// The self-signed certificate.
  package let certificate: X509Certificate

  /// The time of the last review of the list: every root was valid then.
  package static let checked = UnixTime(secondsSince1970: 1_795_305_600)  // 2026-11-22

  /// All roots, by group, in the order of ``Group``.
  package static let all: [PublishedRoot] = Group.allCases.flatMap(roots)

  static func roots(of group: Group) -> [PublishedRoot] {
    group.records.compactMap { PublishedRoot(group, $0) }
  }

  /// Returns the roots of these groups, by the format for which they vouch.
  public static func anchors(of groups: Set<Group>) -> [AttestationFormat: [X509Certificate]] {
    Dictionary(grouping: all.filter { groups.contains($0.group) }, by: \.group.format)
      .mapValues { $0.map(\.certificate) }
  }

  /// A set of roots that are trusted together.
  public enum Group: String, CaseIterable, Sendable {
    /// Apple's WebAuthn root, for the format `apple`.
    case apple
    /// Google's hardware attestation roots, for the format `android-key`.
    case google
    /// Microsoft's TPM root, for the format `tpm`: it certifies the attestation keys of Windows Hello.
    case microsoft
    /// The roots of TPM vendors, for the format `tpm`. They certify endorsement keys; most relying parties need
    /// ``microsoft`` only.
    case tpm

    /// The format for which the roots vouch.
    package var format: AttestationFormat {
      switch self {
      case .apple: .apple
      case .google: .androidKey
      case .microsoft, .tpm: .tpm
      }
    }

    /// The address at which the owner publishes the roots.
    package var source: String {
      switch self {
      case .apple: "https://www.apple.com/certificateauthority/private/"
      case .google: "https://developer.android.com/privacy-and-security/security-key-attestation#root_certificate"
      case .microsoft: "https://go.microsoft.com/fwlink/?linkid=2097925 and number 122 of the FIDO metadata"
      case .tpm: "https://go.microsoft.com/fwlink/?linkid=2097925"
      }
    }

    var records: [Record] {
      switch self {
      case .apple: PublishedRoot.appleRecords
      case .google: PublishedRoot.googleRecords
      case .microsoft: PublishedRoot.microsoftRecords
      case .tpm: PublishedRoot.tpmRecords
      }
    }
  }

  /// A root in the form of the source code.
  struct Record: Sendable {
    let owner: String
    let sha256: String
    let base64: String
  }

  private init?(_ group: Group, _ record: Record) {
    let certificate = (try? Base64.decodeLeniently(record.base64)).flatMap { try? X509Certificate(der: $0) }
    guard let certificate, Hex.encode(certificate.sha256Fingerprint) == record.sha256 else { return nil }
    self.group = group
    owner = record.owner
    self.certificate = certificate
  }
}
