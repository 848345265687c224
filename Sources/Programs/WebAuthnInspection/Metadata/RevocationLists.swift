// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAttestation

/// Lists of revoked certificates and authenticators, for looking up certificates.
package struct RevocationLists: Sendable {
  /// X.509 revocation lists. Their signatures are not verified.
  package var revocationLists: [RevocationList] = []

  /// Copies of Google's list of revoked Android attestation certificates.
  package var statusLists: [AttestationStatusList] = []

  /// Lists of rogue authenticators, to which FIDO metadata point.
  package var rogueLists: [RogueList] = []

  /// Creates an empty collection of lists.
  package init() {}

  /// Whether there is no list.
  package var isEmpty: Bool { revocationLists.isEmpty && statusLists.isEmpty && rogueLists.isEmpty }

  /// Returns what the first list that names a certificate says of it; nil if none does.
  ///
  /// A revocation list names certificates by issuer and serial number.
  package func finding(about certificate: X509Certificate) -> String? {
    for list in revocationLists where list.issuer == certificate.issuer {
      if let revocation = list.revocation(of: certificate.serialNumber) { return "revoked at \(revocation.date)" }
    }
    for list in statusLists {
      if let entry = list.entry(serialNumber: certificate.serialNumber) {
        return "\(entry.status)" + (entry.reason.map { ", \($0)" } ?? "")
      }
    }
    for list in rogueLists {
      if let date = list.date(of: certificate) { return "rogue since \(date)" }
    }
    return nil
  }

  /// Returns a line of text about a certificate and its ``finding(about:)``.
  package static func text(_ certificate: X509Certificate, _ finding: String?) -> String {
    let serialNumber = Hex.encode(certificate.serialNumber)
    return "\(finding ?? "valid"): \(certificate.subject), serial number \(serialNumber)".escapedForTerminal + "\n"
  }

  /// Returns a line of JSON about a certificate and its ``finding(about:)``.
  package static func json(_ certificate: X509Certificate, _ finding: String?) -> [UInt8] {
    JSON.writeObject { output in
      output.write("subject", .string("\(certificate.subject)"))
      output.write("serialNumber", .string(Hex.encode(certificate.serialNumber)))
      output.write("revoked", .bool(finding != nil))
      if let finding { output.write("finding", .string(finding)) }
    } + [UInt8(ascii: "\n")]
  }
}
