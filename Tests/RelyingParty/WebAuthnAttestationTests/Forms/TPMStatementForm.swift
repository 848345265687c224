// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A builder for TPM statements. Tests may change every part before it is signed.
struct TPMStatementForm {
  var version = "2.0"
  var magic: UInt32 = 0xff54_4347
  var type: UInt16 = 0x8017
  var extraData: [UInt8]
  var clock = [UInt8](repeating: 7, count: 17 + 8)
  var publicArea: [UInt8]
  /// Replaces the name of the public area.
  var name: [UInt8]?
  var trailing: [UInt8] = []
  var signer: SigningKey
  /// Changes the certify info before it is signed.
  var corruptCertifyInfo: (inout [UInt8]) -> Void = { _ in }
  var corruptCertificate: (inout CertificateForm) -> Void = { _ in }

  private let ceremony: CeremonyForm
  private let key: SigningKey

  init(_ ceremony: CeremonyForm, _ algorithm: COSEAlgorithm = .es256) throws {
    self.ceremony = ceremony
    key = try TestKey.make("attestation", algorithm)
    signer = key
    let hash: COSEHash =
      switch algorithm {
      case .rs1: .sha1
      case .es384: .sha384
      default: .sha256
      }
    extraData = Digest.hash(ceremony.signedBytes[...], with: hash)
    publicArea = Self.publicArea(ceremony.key.publicKey)
  }

  func members() throws -> Members {
    var info = ByteWriter()
    info.write(magic)
    info.write(type)
    info.writeSized([0xaa, 0xbb])
    info.writeSized(extraData)
    info.write(clock)
    info.writeSized(name ?? [0, 0x0b] + Digest.sha256(publicArea[...]))
    info.writeSized([0xcc])
    info.write(trailing)
    var certifyInfo = info.bytes
    corruptCertifyInfo(&certifyInfo)
    let certificate = try ceremony.certificate(of: key) {
      $0.subject = []
      $0.extensions = [
        CertificateForm.basicConstraints(isAuthority: false),
        Self.alternativeName(["id:414D4400", "AMD", "id:00030000"]),
        CertificatePart.extension(.extendedKeyUsage) {
          $0.writeSequence { $0.writeObjectIdentifier([2, 23, 133, 8, 3]) }
        },
      ]
      corruptCertificate(&$0)
    }
    return [
      "ver": .text(version), "alg": .integer(key.algorithm.rawValue),
      "sig": .bytes(try signer.sign(certifyInfo[...])), "x5c": .array([.bytes(certificate)]),
      "certInfo": .bytes(certifyInfo), "pubArea": .bytes(publicArea),
    ]
  }

  /// Encodes a TPMT_PUBLIC. A key type that TPMs do not support becomes a structure of type 0.
  static func publicArea(
    _ key: COSEKey, exponent: UInt32 = 65537, zeros: Int = 0, symmetric: [UInt8] = hex("0010"),
    scheme: [UInt8] = hex("0010"), derivation: [UInt8] = hex("0010")
  ) -> [UInt8] {
    var writer = ByteWriter()
    let zeros = [UInt8](repeating: 0, count: zeros)
    switch key.material {
    case .rsa(let modulus, _):
      writer.write(hex("0001 000b 00040000 0000"))
      writer.write(symmetric)
      writer.write(scheme)
      writer.write(UInt16(modulus.count * 8))
      writer.write(exponent)
      writer.writeSized([UInt8](modulus))
    case .ec2(let curve, let x, let y):
      writer.write(hex("0023 000b 00040000 0000"))
      writer.write(symmetric)
      writer.write(scheme)
      // TPM numbers P-256, P-384 and P-521 from 3 to 5, COSE from 1 to 3.
      writer.write(UInt16(curve.rawValue + 2))
      writer.write(derivation)
      writer.writeSized(zeros + x)
      writer.writeSized(zeros + y)
    case .okp, .akp: writer.write(hex("0000 000b 00040000 0000"))
    }
    return writer.bytes
  }

  /// Encodes manufacturer, model and version, as far as given.
  static func alternativeName(_ values: [String], inOneSet: Bool = false) -> [UInt8] {
    let types: [DERObjectIdentifier] = [[2, 23, 133, 2, 1], [2, 23, 133, 2, 2], [2, 23, 133, 2, 3]]
    let attributes = Array(zip(types, values))
    return CertificatePart.extension(.subjectAlternativeName, isCritical: true) {
      $0.writeSequence {
        $0.writeExplicit(4) {
          $0.write(encoded: CertificatePart.name(inOneSet ? [attributes] : attributes.map { [$0] })[...])
        }
      }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func writeSized(_ bytes: [UInt8]) {
    write(UInt16(bytes.count))
    write(bytes)
  }
}
