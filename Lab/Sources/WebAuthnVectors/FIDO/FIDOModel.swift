// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
package import WebAuthnTypes

/// The fictitious authenticator models of FIDO's server tests, as the metadata describe them.
package enum FIDOModel: String, CaseIterable, Sendable {
  /// Packed attestation by a batch key below the root.
  case packed
  /// The same; the metadata name the batch certificate itself as the anchor.
  case batchAnchor = "batch-anchor"
  /// The same; its list of vendor commands has numbers of 64 bits.
  case vendorCommands = "vendor-commands"
  /// Self attestation only.
  case selfAttesting = "self-attesting"
  /// A U2F security key. It has no AAGUID.
  case securityKey = "security-key"
  case tpm
  case androidKeyStore = "android-key-store"
  /// A model in good standing.
  case certified
  /// A model whose attestation key was compromised.
  case compromised
  /// A model in a BLOB whose signature is invalid.
  case inForgedBlob = "in-forged-blob"
  /// A model in a BLOB whose signer has no path to the anchor.
  case inUnanchoredBlob = "in-unanchored-blob"
  /// A model in a BLOB with a revoked intermediate authority.
  case belowRevokedAuthority = "below-revoked-authority"
  /// A model in a BLOB with a revoked signer.
  case byRevokedSigner = "by-revoked-signer"

  /// The serial number of every attestation certificate.
  static let serialNumber: [UInt8] = [0x46, 0x49, 0x44, 0x4f]

  /// The AAGUID: the model's name in bytes, cut or filled with zeros.
  package var aaguid: AAGUID {
    guard self != .securityKey else { return .zero }
    let name = [UInt8]("fido \(rawValue)".utf8.prefix(AAGUID.byteCount))
    return AAGUID(name + [UInt8](repeating: 0, count: AAGUID.byteCount - name.count)) ?? .zero
  }

  /// The names of the attestation types in metadata.
  private var attestationTypes: [String] {
    switch self {
    case .selfAttesting: ["basic_surrogate"]
    case .tpm: ["attca"]
    default: ["basic_full"]
    }
  }

  private var format: AttestationFormat {
    switch self {
    case .securityKey: .fidoU2F
    case .tpm: .tpm
    case .androidKeyStore: .androidKey
    default: .packed
    }
  }

  private func anchors() throws(PasskeyCryptoError) -> [[UInt8]] {
    switch self {
    case .selfAttesting: []
    case .batchAnchor: [try batchCertificate()]
    default: [try VectorAuthorities.rootCertificate()]
    }
  }

  private func batchCertificate() throws(PasskeyCryptoError) -> [UInt8] {
    let maker = StatementMaker(
      aaguid: aaguid, serialNumber: Self.serialNumber, faults: [], time: ScenarioDefaults.time)
    return try maker.identity(.es256, .root).certificates.first ?? []
  }

  /// Writes the model's entry of a metadata BLOB.
  func writeEntry(into entries: inout JSONArrayWriter) throws(PasskeyCryptoError) {
    let anchors = try anchors()
    let identifier = try self == .securityKey ? keyIdentifier() : nil
    entries.writeObject { (entry) in
      if let identifier {
        entry.writeArray("attestationCertificateKeyIdentifiers") { $0.write(Hex.encode(identifier)) }
      } else {
        entry.write("aaguid", .string("\(aaguid)"))
      }
      entry.writeObject("metadataStatement") { (statement) in
        statement.write("description", .string("Passkey Vectors \(rawValue)"))
        statement.write("protocolFamily", .string(identifier == nil ? "fido2" : "u2f"))
        statement.writeArray("attestationTypes") { (types) in for type in attestationTypes { types.write(type) } }
        statement.writeArray("attestationRootCertificates") { (list) in
          for anchor in anchors { list.write(.base64(anchor)) }
        }
        guard identifier == nil else { return }
        statement.writeObject("authenticatorGetInfo") { (information) in
          information.writeArray("versions") { $0.write("FIDO_2_1") }
          information.write("aaguid", .string(Hex.encode(aaguid.bytes)))
          information.writeArray("attestationFormats") { $0.write(format.rawValue) }
          if self == .vendorCommands {
            information.writeArray("vendorPrototypeConfigCommands") { $0.write(.integer(UInt64.max)) }
          }
        }
      }
      entry.writeArray("statusReports") { (reports) in
        reports.writeObject { (report) in
          report.write("status", self == .compromised ? "ATTESTATION_KEY_COMPROMISE" : "FIDO_CERTIFIED_L1")
          report.write("effectiveDate", "2025-01-01")
        }
      }
      entry.write("timeOfLastStatusChange", "2025-01-01")
    }
  }

  /// The SHA-1 of the batch's public key, by which metadata name U2F models.
  private func keyIdentifier() throws(PasskeyCryptoError) -> [UInt8] {
    Digest.legacySHA1(try X509Certificate(der: try batchCertificate()).subjectPublicKeyInfo.key)
  }
}
