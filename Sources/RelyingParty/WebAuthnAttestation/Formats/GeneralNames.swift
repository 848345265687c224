// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// GeneralNames ::= SEQUENCE OF GeneralName                                                     (RFC 5280 §4.2.1.6)
// GeneralName ::= CHOICE { dNSName [2] IA5String, directoryName [4] Name, and seven others }

/// The names in a subject alternative name that attestation and metadata verification use.
struct GeneralNames {
  private(set) var hostNames: [String] = []
  private(set) var directoryNames: [DistinguishedName] = []

  init(of extension: CertificateExtension) throws(WireError) {
    var names = Self()
    try DERReader.parse(`extension`.value) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        while !reader.isAtEnd { try names.readName(&reader) }
      }
    }
    self = names
  }

  private init() {}

  private mutating func readName(_ reader: inout DERReader) throws(WireError) {
    if try reader.isNext(.context(2)) {
      hostNames.append(try reader.readIA5String(tag: .context(2)))
    } else if try reader.isNext(.contextConstructed(4)) {
      directoryNames.append(
        try reader.readExplicit(4) { (reader) throws(WireError) in try DistinguishedName(reading: &reader) })
    } else {
      _ = try reader.readElement()
    }
  }
}

extension X509Certificate {
  /// Whether the certificate is valid for this host: by its alternative names or, without any, by its common name (RFC
  /// 6125 §6.4.4). Wildcards do not match, because the expected hosts have exact names.
  func names(host: String) -> Bool {
    guard let `extension` = subjectAlternativeName else { return subject.commonName == host }
    guard let names = try? GeneralNames(of: `extension`) else { return false }
    return names.hostNames.contains { $0.lowercased() == host }
  }
}
