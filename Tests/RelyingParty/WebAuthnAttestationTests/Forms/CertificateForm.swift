// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A builder for certificates. Tests may change every part before it is signed.
struct CertificateForm {
  var version: Int64 = 3
  var serialNumber: [UInt8] = [0x2a]
  var subject: [(DERObjectIdentifier, String)]
  var notAfter = Moment.y2040
  var subjectKey: COSEKey
  var extensions: [[UInt8]] = []

  init(_ subject: [(DERObjectIdentifier, String)], _ key: COSEKey) {
    self.subject = subject
    subjectKey = key
  }

  /// Returns the DER of the certificate, signed with ECDSA and SHA-256.
  func signed(by issuer: Issuer) throws -> [UInt8] {
    let algorithm = hex("300a06082a8648ce3d040302")
    var content = DERWriter()
    try content.writeSequence {
      if version != 1 { $0.writeExplicit(0) { $0.writeInteger(version - 1) } }
      $0.writeInteger(twosComplement: serialNumber[...])
      $0.write(encoded: algorithm[...])
      $0.write(encoded: Self.name(issuer.subject)[...])
      try $0.writeSequence {
        try $0.writeTime(Moment.y2020)
        try $0.writeTime(notAfter)
      }
      $0.write(encoded: Self.name(subject)[...])
      $0.write(encoded: try subjectKey.subjectPublicKeyInfo[...])
      guard !extensions.isEmpty else { return }
      $0.writeExplicit(3) { $0.writeSequence { for each in extensions { $0.write(encoded: each[...]) } } }
    }
    let signature = try issuer.key.sign(content.bytes[...], .deterministic)
    var writer = DERWriter()
    writer.writeSequence {
      $0.write(encoded: content.bytes[...])
      $0.write(encoded: algorithm[...])
      $0.writeBitString(signature[...])
    }
    return writer.bytes
  }

  static func name(_ parts: [(DERObjectIdentifier, String)]) -> [UInt8] {
    CertificatePart.name(parts.map { [$0] })
  }

  static func basicConstraints(isAuthority: Bool) -> [UInt8] {
    CertificatePart.extension(.basicConstraints, isCritical: true) {
      $0.writeSequence { if isAuthority { $0.writeBoolean(true) } }
    }
  }

  static func hostNames(_ names: String...) -> [UInt8] {
    CertificatePart.extension(.subjectAlternativeName) {
      $0.writeSequence { for name in names { $0.write(.context(2), content: Array(name.utf8)[...]) } }
    }
  }
}

/// The name and the key of a certificate's issuer.
struct Issuer {
  let subject: [(DERObjectIdentifier, String)]
  let key: SigningKey
}

/// A certificate authority for tests.
struct TestAuthority {
  let issuer: Issuer
  let certificate: X509Certificate

  static func root(_ name: String = "Root") throws -> Self {
    let key = try TestKey.make(name)
    let issuer = Issuer(subject: [(.commonName, name)], key: key)
    var form = CertificateForm(issuer.subject, key.publicKey)
    form.extensions = [CertificateForm.basicConstraints(isAuthority: true)]
    return Self(issuer: issuer, certificate: try X509Certificate(der: form.signed(by: issuer)[...]))
  }
}

/// Deterministic test keys.
enum TestKey {
  static func make(_ label: String, _ algorithm: COSEAlgorithm = .es256) throws -> SigningKey {
    try SigningKey.generate(algorithm, random: .seeded(Array("keys of tests".utf8)[...], label: label))
  }
}

extension TestAuthority {
  /// Issues a revocation list with these serial numbers.
  func revocationList(of serialNumbers: [UInt8]...) throws -> RevocationList {
    let algorithm = hex("300a06082a8648ce3d040302")
    var content = DERWriter()
    try content.writeSequence {
      $0.writeInteger(1)
      $0.write(encoded: algorithm[...])
      $0.write(encoded: CertificateForm.name(issuer.subject)[...])
      try $0.writeTime(Moment.y2020)
      try $0.writeTime(Moment.y2040)
      try $0.writeSequence {
        for serialNumber in serialNumbers {
          try $0.writeSequence {
            $0.writeInteger(twosComplement: serialNumber[...])
            try $0.writeTime(Moment.y2020)
          }
        }
      }
    }
    let signature = try issuer.key.sign(content.bytes[...])
    var writer = DERWriter()
    writer.writeSequence {
      $0.write(encoded: content.bytes[...])
      $0.write(encoded: algorithm[...])
      $0.writeBitString(signature[...])
    }
    return try RevocationList(der: writer.bytes[...])
  }
}
