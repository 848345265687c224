// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// Metadata in the format of the FIDO Metadata Service 3.0, signed below the vectors' root.
enum VectorMetadata {
  /// Makes a BLOB with one entry: this model with the vectors' root as its anchor, these status reports and this key
  /// protection. With `reportsRoot`, the reports are about the root's certificate only.
  static func blob(
    about model: AAGUID, _ statuses: [String], protection: [String] = [], reportsRoot: Bool = false
  ) throws(PasskeyCryptoError) -> CaseSettings.Metadata {
    let root = try VectorAuthorities.root()
    let rootCertificate = try VectorAuthorities.rootCertificate()
    let key = try ScenarioValues.key(of: "Metadata")
    let certificate = try root.leaf(
      CertificateName(.init(.commonName, "Passkey Vectors Metadata")), publicKey: key.publicKey, serialNumber: [3],
      validity: ScenarioDefaults.validity
    ).certificate(signedBy: root.key, .deterministic)
    let token = CompactToken(
      payload: payload(model, rootCertificate, statuses, protection, reportsRoot),
      signer: AttestationIdentity(key: key, certificates: [certificate]))
    return CaseSettings.Metadata(blob: try token.text(.deterministic), trustAnchors: [rootCertificate])
  }

  private static func payload(
    _ model: AAGUID, _ root: [UInt8], _ statuses: [String], _ protection: [String], _ reportsRoot: Bool
  ) -> [UInt8] {
    JSON.writeObject { (object) in
      object.write("legalHeader", "none")
      object.write("no", 1)
      object.write("nextUpdate", "2026-02-01")
      object.writeArray("entries") { (entries) in
        entries.writeObject { (entry) in
          entry.write("aaguid", .string("\(model)"))
          entry.writeObject("metadataStatement") { (statement) in
            statement.write("description", "Passkey Vectors")
            statement.writeArray("attestationTypes") { $0.write("basic_full") }
            if !protection.isEmpty {
              statement.writeArray("keyProtection") { list in for name in protection { list.write(.string(name)) } }
            }
            statement.writeArray("attestationRootCertificates") { $0.write(.base64(root)) }
          }
          entry.writeArray("statusReports") { (reports) in
            for status in statuses {
              reports.writeObject { (report) in
                report.write("status", .string(status))
                report.write("effectiveDate", "2025-01-01")
                if reportsRoot { report.write("certificate", .base64(root)) }
              }
            }
          }
          entry.write("timeOfLastStatusChange", "2025-01-01")
        }
      }
    }
  }
}
