// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// TPMS_ATTEST                                                                      (TPM 2.0 Library, part 2, §10.12.8)
//   magic           TPM_GENERATED   4 bytes
//   type            TPMI_ST_ATTEST  2
//   qualifiedSigner TPM2B_NAME
//   extraData       TPM2B_DATA
//   clockInfo       TPMS_CLOCK_INFO 17
//   firmwareVersion UINT64          8
//   attested        TPMS_CERTIFY_INFO { name TPM2B_NAME, qualifiedName TPM2B_NAME }           (§10.12.3)
//
// The standard ignores signer, clock and firmware, because the TPM may obfuscate them.

/// The structure that a TPM signs when it certifies a key.
struct TPMCertifyInfo {
  /// The caller's data in the signed structure.
  let extraData: Bytes

  /// The name of the certified key.
  let name: Bytes

  /// TPM_GENERATED_VALUE: a TPM signs no external data that begin with this value.
  private static let generated: UInt32 = 0xff54_4347
  /// TPM_ST_ATTEST_CERTIFY
  private static let certify: UInt16 = 0x8017
  private static let clockInfoByteCount = 17
  private static let firmwareVersionByteCount = 8

  init(parsing bytes: Bytes) throws(AttestationError) {
    var reader = ByteReader(bytes)
    let magic: UInt32
    let type: UInt16
    (magic, type) = try mapError((reader.readUInt32(), reader.readUInt16())) { (error: WireError) in
      AttestationError(.tpmMalformedCertifyInfo, error)
    }
    guard magic == Self.generated else {
      throw AttestationError(.tpmMagic, expected: Self.hex(Self.generated), received: Self.hex(magic))
    }
    guard type == Self.certify else {
      throw AttestationError(.tpmStructureType, expected: Self.hex(Self.certify), received: Self.hex(type))
    }
    do throws(WireError) {
      _ = try reader.readSized()
      extraData = try reader.readSized()
      _ = try reader.read(Self.clockInfoByteCount + Self.firmwareVersionByteCount)
      name = try reader.readSized()
      _ = try reader.readSized()
      try reader.finish()
    } catch {
      throw AttestationError(.tpmMalformedCertifyInfo, error)
    }
  }

  private static func hex(_ number: some BinaryInteger) -> String { "0x" + String(number, radix: 16) }
}
