// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// A root of an attestation authority, as its owner published it. None of them is believed unless a policy names it:
///
/// ```swift
/// policy.trustAnchors = TrustAnchors(metadata: blob, byFormat: PublishedRoot.anchors(of: [.apple, .google, .microsoft]))
/// ```
///
/// A new root of an owner is believed with a later version of this library only; ``TrustAnchors`` takes any other
/// certificate. Where metadata have anchors for a model, those decide about it, and these are not asked.
public struct PublishedRoot: Sendable {
  /// Which group it belongs to.
  public let group: Group

  /// The owner of the root.
  public let owner: String

  /// The certificate, signed by itself.
  public let certificate: Certificate

  /// The moment at which the list was last checked: each root was in force.
  public static let checked = Timestamp(secondsSince1970: 1_795_305_600)  // 2026-11-22

  /// Every root, by group, in the order of ``Group``.
  public static let all: [PublishedRoot] = Group.allCases.flatMap { group in
    group.records.compactMap { PublishedRoot(group, $0) }
  }

  /// The roots of some groups, each for the format that it vouches for.
  public static func anchors(of groups: Set<Group>) -> [AttestationFormat: [Certificate]] {
    Dictionary(grouping: all.filter { groups.contains($0.group) }, by: \.group.format)
      .mapValues { $0.map(\.certificate) }
  }

  /// Roots that are believed together.
  public enum Group: String, CaseIterable, Sendable {
    /// Apple's WebAuthn root, for the format `apple`.
    case apple
    /// Google's hardware attestation roots, for the format `android-key`.
    case google
    /// Microsoft's TPM root, for the format `tpm`: it certifies the attestation keys of Windows Hello.
    case microsoft
    /// The roots of TPM makers, for the format `tpm`. They certify endorsement keys; most relying parties meet
    /// ``microsoft`` only.
    case tpm

    /// The one format that the roots vouch for.
    public var format: AttestationFormat {
      switch self {
      case .apple: .apple
      case .google: .androidKey
      case .microsoft, .tpm: .tpm
      }
    }

    /// Where the owners publish the roots.
    public var source: String {
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

  /// A root as it stands in the source.
  struct Record: Sendable {
    let owner: String
    let sha256: String
    let base64: String
  }

  private init?(_ group: Group, _ record: Record) {
    let certificate = (try? Base64.decodeLeniently(record.base64)).flatMap { try? Certificate(der: $0[...]) }
    guard let certificate, Hex.encode(certificate.sha256Fingerprint) == record.sha256 else { return nil }
    self.group = group
    owner = record.owner
    self.certificate = certificate
  }
}
