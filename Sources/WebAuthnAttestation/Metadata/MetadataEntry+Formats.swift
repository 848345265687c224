// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

extension MetadataEntry {
  /// The attestation formats for which the certificates of the entry vouch.
  ///
  /// They follow from the statement's attestation types, its protocol family and `authenticatorGetInfo`. Android's formats
  /// belong only to models that list them, and to those that share their attestation roots (`SharedModel`).
  public var attestationFormats: Set<AttestationFormat> {
    guard let statement else { return [] }
    if let shared = aaguid.flatMap(SharedModel.named) { return shared.anchored }
    let byType = statement.attestationTypes.reduce(into: Set<AttestationFormat>()) { $0.formUnion($1.formats) }
    return byType.intersection(formatsOfFamily(statement))
  }

  /// What an authenticator of the entry's protocol family can answer with.
  private func formatsOfFamily(_ statement: MetadataStatement) -> Set<AttestationFormat> {
    let implied = aaguid != nil ? "fido2" : aaid != nil ? "uaf" : "u2f"
    switch statement.protocolFamily ?? implied {
    case "fido2":
      // CTAP 2.3 §6.4: without the list an authenticator makes packed statements. Platform authenticators, which have
      // no such command, publish one all the same; their attestation type then tells tpm and apple apart.
      if let listed = statement.listedFormats { return listed }
      let own: Set<AttestationFormat> = [.packed, .tpm, .apple]
      return statement.protocolVersions.contains("U2F_V2") ? own.union([.fidoU2F]) : own
    case "u2f": return [.fidoU2F]
    default: return []
    }
  }
}

extension MetadataAttestationType {
  /// The formats that support the type (WebAuthn Level 3 §8.2 to §8.8, "Attestation types supported").
  fileprivate var formats: Set<AttestationFormat> {
    switch self {
    case .basicFull: [.packed, .androidKey, .androidSafetyNet, .fidoU2F]
    case .attestationCA: [.packed, .tpm, .fidoU2F]
    case .anonymizationCA: [.apple]
    default: []
    }
  }
}

/// An AAGUID that does not stand for one model: every authenticator of a format reports it.
struct SharedModel {
  /// The formats for which the roots of its metadata entry vouch.
  let anchored: Set<AttestationFormat>

  /// The formats that report the AAGUID as well, and whose anchors the relying party configures by format.
  let anchoredByFormat: Set<AttestationFormat>

  static func named(_ aaguid: AAGUID) -> Self? { table[aaguid] }

  private static let table: [AAGUID: Self] = Dictionary(
    uniqueKeysWithValues: [
      // Google Play services. The entry lists the public web authorities from which SafetyNet's host certificate may
      // come; they certify anyone's web server, and must vouch for nothing else. Android Key statements report the same
      // AAGUID, and are anchored by Google's hardware attestation roots.
      ("b93fd961-f2e6-462f-b122-82002247de78", [.androidSafetyNet], [.androidKey]),
      // The SafetyNet service of FIDO's conformance tools.
      ("c87cdd97-56c1-49b8-9e24-cb363654f350", [.androidSafetyNet], []),
      // The Android key store of FIDO's conformance tools.
      ("550e4b54-aa47-409f-9a95-1ab76c130131", [.androidKey], []),
    ].compactMap { (uuid, anchored, byFormat) in
      AAGUID(uuid: uuid).map { ($0, Self(anchored: anchored, anchoredByFormat: byFormat)) }
    })
}
