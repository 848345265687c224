// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

extension MetadataBlob.Entry {
  /// The attestation formats for which the entry's certificates vouch.
  ///
  /// They follow from the statement's attestation types, its protocol family and `authenticatorGetInfo`. Android's
  /// formats require that the model lists them or shares its attestation roots (`SharedModel`).
  package var attestationFormats: Set<AttestationFormat> {
    guard let statement else { return [] }
    if let shared = aaguid.flatMap(SharedModel.named) { return shared.anchored }
    let byType = statement.attestationTypes.reduce(into: Set<AttestationFormat>()) { $0.formUnion($1.formats) }
    return byType.intersection(formatsOfFamily(statement))
  }

  /// The formats that an authenticator of the entry's protocol family can use.
  private func formatsOfFamily(_ statement: MetadataStatement) -> Set<AttestationFormat> {
    let implied = aaguid != nil ? "fido2" : aaid != nil ? "uaf" : "u2f"
    switch statement.protocolFamily ?? implied {
    case "fido2":
      // CTAP 2.3 §6.4: without the list an authenticator uses packed. The entries of platform authenticators contain
      // `authenticatorGetInfo` although these lack the command; the attestation type then distinguishes tpm from apple.
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

/// An AAGUID that all authenticators of a format share, so that it does not identify one model.
struct SharedModel {
  /// The formats for which the roots of its metadata entry vouch.
  let anchored: Set<AttestationFormat>

  /// The formats that use the same AAGUID, but whose anchors the relying party configures by format.
  let anchoredByFormat: Set<AttestationFormat>

  static func named(_ aaguid: AAGUID) -> Self? { table[aaguid] }

  private static let table: [AAGUID: Self] = Dictionary(
    uniqueKeysWithValues: [
      // Google Play services. The entry lists public web CAs, which may issue the certificate of SafetyNet's host. They
      // certify any web server, so they must not vouch for any other format. Android Key statements use the same
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
