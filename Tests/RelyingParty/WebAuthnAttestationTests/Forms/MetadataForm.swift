// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnAttestation

/// A builder for metadata BLOBs, signed below their own root.
struct MetadataForm {
  var number = "7"
  var nextUpdate = "2030-02-01"
  var entries: [String] = []
  var more = ""
  var host = "mds.fidoalliance.org"
  var algorithm = COSEAlgorithm.es256
  var time = Moment.y2030
  var lastNumber: UInt64 = 0
  var expiry = MetadataBlob.Expiry.refused
  var revocationLists: [RevocationList] = []
  var corrupt: (inout TokenForm) -> Void = { _ in }
  let root: TestAuthority
  let signer: MetadataSigner

  init(_ entries: String...) throws {
    root = try TestAuthority.root("Metadata root")
    signer = MetadataSigner(anchors: [root.certificate], hostName: "mds.fidoalliance.org")
    self.entries = entries
  }

  func token() throws -> [UInt8] {
    let key = try TestKey.make("metadata", algorithm)
    var form = CertificateForm([(.commonName, "Metadata")], key.publicKey)
    form.extensions = [CertificateForm.hostNames(host)]
    var token = TokenForm(
      payload: """
        {"legalHeader":"none","no":\(number),"nextUpdate":"\(nextUpdate)"\(more),\
        "entries":[\(entries.joined(separator: ","))]}
        """, key: key, certificates: [try form.signed(by: root.issuer)])
    token.algorithm = "\(algorithm)"
    corrupt(&token)
    return Array(try token.text().utf8)
  }

  func verify() throws -> MetadataBlob {
    try MetadataBlob(
      verifying: token(), signedBy: signer, at: time, lastNumber: lastNumber, expiry: expiry,
      revocationLists: revocationLists)
  }

  /// Returns an entry for a model, with these roots and reports.
  static func entry(
    _ identifier: String = aaguid, roots: [[UInt8]] = [], types: String = "basic_full", statement: String = "",
    _ reports: String...
  ) -> String {
    let roots = roots.map { "\"\(Base64.encode($0))\"" }.joined(separator: ",")
    return """
      {\(identifier),"metadataStatement":{"description":"A key","attestationTypes":["\(types)"],\
      \(statement.isEmpty ? "" : statement + ",")\
      "attestationRootCertificates":[\(roots)]},"statusReports":[\(reports.joined(separator: ","))],\
      "timeOfLastStatusChange":"2024-01-01","unheardOf":{"a":1}}
      """
  }

  static func report(_ status: String, _ date: String? = nil, _ more: String = "") -> String {
    "{\"status\":\"\(status)\"" + (date.map { ",\"effectiveDate\":\"\($0)\"" } ?? "") + more + "}"
  }

  /// The AAGUID of CeremonyForm's authenticator, as a member.
  static let aaguid = "\"aaguid\":\"00010203-0405-0607-0809-0A0B0C0D0E0F\""
}
