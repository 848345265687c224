// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

// TPMT_PUBLIC                                                                       (TPM 2.0 Library, part 2, §12.2.4)
//   type             TPMI_ALG_PUBLIC   2 bytes
//   nameAlg          TPMI_ALG_HASH     2
//   objectAttributes TPMA_OBJECT       4
//   authPolicy       TPM2B_DIGEST      2 plus the stated length
//   parameters       by type
//   unique           by type

/// A public key in the form of a TPM.
struct TPMPublicArea {
  let key: TPMKey

  /// The TPM name of the key: the hash algorithm and the hash of the whole public area (part 1, §16).
  let name: [UInt8]

  init(parsing bytes: Bytes) throws(AttestationError) {
    let nameAlgorithm: UInt16
    do throws(WireError) {
      var reader = ByteReader(bytes)
      let type = try reader.readUInt16()
      nameAlgorithm = try reader.readUInt16()
      _ = try reader.readUInt32()
      _ = try reader.readSized()
      key = try TPMKey(reading: &reader, type: type)
      try reader.finish()
    } catch {
      throw AttestationError(.tpmMalformedPublicArea, error)
    }
    guard let hash = COSEHash(tpmAlgorithm: nameAlgorithm) else {
      throw AttestationError(.unsupportedAlgorithm, "TPM hash \(nameAlgorithm)")
    }
    var name = ByteWriter()
    name.write(nameAlgorithm)
    name.write(Digest.hash(bytes, with: hash))
    self.name = name.bytes
  }
}

extension ByteReader {
  /// Reads the content of a TPM2B structure: a two-byte length, followed by that many bytes.
  mutating func readSized() throws(WireError) -> Bytes {
    try read(Int(readUInt16()))
  }
}

extension COSEHash {
  /// The hash with this number in the TCG registry.
  fileprivate init?(tpmAlgorithm: UInt16) {
    switch tpmAlgorithm {
    case 0x0004: self = .sha1
    case 0x000b: self = .sha256
    case 0x000c: self = .sha384
    case 0x000d: self = .sha512
    default: return nil
    }
  }
}
