// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A builder of certificates. Tests can modify every part before it is signed.
struct CertificateForm {
  var version: Int64 = 3
  var serialNumber: [UInt8] = [0x2a]
  var issuer: [UInt8]
  var subject: [UInt8]
  var notBefore = Moment.y2020
  var notAfter = Moment.y2040
  var subjectPublicKeyInfo: [UInt8]
  var extensions: [[UInt8]] = []
  var scheme = SignatureForm.ecdsaWithSHA256

  /// The inner signature algorithm, if it differs from the outer one.
  var innerAlgorithm: [UInt8]?
  var unusedBits: UInt8 = 0

  init(of subject: String, key: SigningKey, from issuer: String) throws {
    self.issuer = Self.name(issuer)
    self.subject = Self.name(subject)
    subjectPublicKeyInfo = try key.publicKey.subjectPublicKeyInfo
  }

  /// The DER of the signed certificate.
  func signed(by key: SigningKey) throws -> [UInt8] {
    var content = DERWriter()
    try content.writeSequence {
      if version != 1 { $0.writeExplicit(0) { $0.writeInteger(version - 1) } }
      $0.writeInteger(twosComplement: serialNumber)
      $0.write(encoded: innerAlgorithm ?? scheme.identifier)
      $0.write(encoded: issuer)
      try $0.writeSequence {
        try $0.writeTime(notBefore)
        try $0.writeTime(notAfter)
      }
      $0.write(encoded: subject)
      $0.write(encoded: subjectPublicKeyInfo)
      guard !extensions.isEmpty else { return }
      $0.writeExplicit(3) { $0.writeSequence { for each in extensions { $0.write(encoded: each) } } }
    }
    return try scheme.frame(content.bytes, signedBy: key, unusedBits: unusedBits)
  }

  func certificate(signedBy key: SigningKey) throws -> X509Certificate {
    try X509Certificate(der: signed(by: key))
  }

  // MARK: Parts

  static func name(_ commonName: String) -> [UInt8] {
    CertificatePart.name([[(.commonName, commonName)]])
  }

  static func authority(pathLength: Int64? = nil) -> [UInt8] {
    CertificatePart.extension(.basicConstraints, isCritical: true) {
      $0.writeSequence {
        $0.writeBoolean(true)
        if let pathLength { $0.writeInteger(pathLength) }
      }
    }
  }

  static func keyUsage(_ bits: Set<UInt8>) -> [UInt8] {
    CertificatePart.extension(.keyUsage, isCritical: true) { $0.writeBitString(named: bits) }
  }
}
