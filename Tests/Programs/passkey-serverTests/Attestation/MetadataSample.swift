// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import WebAuthnAuthenticator

/// Metadata below a root of their own.
struct MetadataSample {
  /// The root's certificate, PEM.
  let root: String

  private let identity: AttestationIdentity

  static let now = UnixTime(secondsSince1970: 1_800_000_000)  // 2027-01-15

  /// Makes a root and a signer, valid from 2020 to 2049.
  init() throws {
    let validity = UnixTime(secondsSince1970: 1_577_836_800)...UnixTime(secondsSince1970: 2_493_072_000)
    let issuer = CertificateIssuer(
      name: CertificateName(.init(.commonName, "Metadata root")), key: try SigningKey.generate(.es256, random: .system))
    let certificate = try issuer.root(serialNumber: [1], validity: validity).certificate(signedBy: issuer.key)
    let key = try SigningKey.generate(.es256, random: .system)
    let leaf = try issuer.leaf(
      CertificateName(.init(.commonName, "Metadata")), publicKey: key.publicKey, serialNumber: [2], validity: validity)
    identity = AttestationIdentity(key: key, certificates: [try leaf.certificate(signedBy: issuer.key)])
    root = PEM.text("CERTIFICATE", certificate)
  }

  /// Returns a BLOB with one entry, whose model has this status, and another one if given.
  func blob(
    _ number: Int, next: String = "2027-02-01", status: String = "FIDO_CERTIFIED", aaguid: String = Self.aaguid,
    secondEntry: String? = nil
  ) throws -> [UInt8] {
    let payload = """
      {"no":\(number),"nextUpdate":"\(next)","entries":[{"aaguid":"\(aaguid)",
      "metadataStatement":{"description":"Sample key","attestationTypes":["basic_full"],
      "attestationRootCertificates":[]},
      "statusReports":[{"status":"\(status)","effectiveDate":"2025-01-01"}],"timeOfLastStatusChange":"2025-01-01"}\(secondEntry.map { ",\($0)" } ?? "")]}
      """
    return try CompactToken(payload: Array(payload.utf8), signer: identity).text()
  }

  static let aaguid = "07070707-0707-0707-0707-070707070707"
}

extension TemporaryFolder {
  /// Writes a file, and replaces an existing one.
  func write(_ text: String, to name: String) throws {
    try FileReplacement.replace(
      "\(path)/\(name)", with: Array(text.utf8), draft: "\(path)/\(name).draft", durability: .atomic)
  }
}
