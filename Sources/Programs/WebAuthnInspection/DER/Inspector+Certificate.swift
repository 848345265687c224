// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension Inspector {
  /// Shows an X.509 certificate with the fields and extensions that attestation uses.
  func certificate(_ bytes: Bytes, named name: String) -> InspectionNode {
    do throws(PasskeyCryptoError) {
      return certificate(try X509Certificate(der: bytes), named: name)
    } catch {
      var node = der(bytes, named: name)
      if node.isFlawless {
        node.problems.append(
          InspectionProblem(
            code: error.code.rawValue, offset: error.wireError?.offset ?? bytes.startIndex, error.detail))
      }
      return node
    }
  }

  private func certificate(_ certificate: X509Certificate, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: certificate.der.indices)
    node.note = certificate.subject.commonName?.escapedForTerminal
    node.children = [
      InspectionNode("version", .text("\(certificate.version)")),
      InspectionNode("serialNumber", .bytes(certificate.serialNumber), span: certificate.serialNumber.indices),
      InspectionNode(
        "issuer", .text("\(certificate.issuer)".escapedForTerminal), span: certificate.issuer.encoded.indices),
      InspectionNode("notBefore", .text("\(certificate.notBefore)")),
      InspectionNode("notAfter", .text("\(certificate.notAfter)")),
      InspectionNode(
        "subject", .text("\(certificate.subject)".escapedForTerminal), span: certificate.subject.encoded.indices),
      publicKey(certificate.subjectPublicKeyInfo, named: "subjectPublicKeyInfo"),
      extensions(of: certificate),
      InspectionNode("signatureAlgorithm", .text(ObjectIdentifierNames.text(certificate.signatureAlgorithm))),
      InspectionNode("sha256Fingerprint", .bytes(certificate.sha256Fingerprint[...])),
    ]
    if certificate.isSelfIssued { node.remarks.append("self-issued: the subject is the issuer") }
    return node
  }

  private func extensions(of certificate: X509Certificate) -> InspectionNode {
    var node = InspectionNode("extensions", note: certificate.extensions.isEmpty ? "none" : nil)
    node.children = certificate.extensions.map { item in
      let name = ObjectIdentifierNames.name(of: item.identifier) ?? "\(item.identifier)"
      var child = meaning(of: item, in: certificate, named: name)
      child.span = item.value.indices
      if item.isCritical { child.note = ["critical", child.note].compactMap { $0 }.joined(separator: ", ") }
      return child
    }
    return node
  }

  /// Shows the meaning of an extension that attestation uses; the DER of every other extension.
  private func meaning(
    of item: CertificateExtension, in certificate: X509Certificate, named name: String
  ) -> InspectionNode {
    switch item.identifier {
    case .basicConstraints:
      let length = certificate.basicConstraints?.pathLength.map { ", at most \($0) CAs below" } ?? ""
      return InspectionNode(name, .text(certificate.isCertificateAuthority ? "CA" + length : "not a CA"))
    case .keyUsage: return InspectionNode(name, .text((certificate.keyUsage ?? []).names.joined(separator: ", ")))
    case .extendedKeyUsage:
      let usages = certificate.extendedKeyUsages ?? []
      return InspectionNode(name, .text(usages.map(ObjectIdentifierNames.text).joined(separator: ", ")))
    case .authenticatorModel:
      var reader = DERReader(item.value)
      if let bytes = try? reader.readOctetString() { return aaguid(bytes, named: name) }
    case .androidKeyDescription: return keyDescription(item.value, named: name)
    default: break
    }
    let content = der(item.value, named: name)
    // Some vendors' extensions do not contain DER. Their bytes are shown, and this is not a problem.
    return content.isFlawless ? content : InspectionNode(name, .bytes(item.value))
  }
}

extension DERObjectIdentifier {
  /// id-fido-gen-ce-aaguid (WebAuthn §8.2.1).
  fileprivate static let authenticatorModel: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]
  /// The extension with the Android key store's description of a key (WebAuthn §8.4.1).
  fileprivate static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
}

extension KeyUsage {
  /// The names of the usages in RFC 5280 §4.2.1.3.
  fileprivate var names: [String] {
    let all: [(KeyUsage, String)] = [
      (.digitalSignature, "digitalSignature"), (.nonRepudiation, "nonRepudiation"),
      (.keyEncipherment, "keyEncipherment"), (.dataEncipherment, "dataEncipherment"),
      (.keyAgreement, "keyAgreement"), (.certificateSigning, "keyCertSign"), (.revocationListSigning, "cRLSign"),
      (.encipherOnly, "encipherOnly"), (.decipherOnly, "decipherOnly"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
