// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WireFormats

// TPMS_ATTEST                                                                      (TPM 2.0 Library, part 2, §10.12.8)
//   magic           TPM_GENERATED   4 bytes
//   type            TPMI_ST_ATTEST  2
//   qualifiedSigner TPM2B_NAME
//   extraData       TPM2B_DATA
//   clockInfo       TPMS_CLOCK_INFO 17
//   firmwareVersion UINT64          8
//   attested        TPMS_CERTIFY_INFO { name TPM2B_NAME, qualifiedName TPM2B_NAME }

/// A key and what a TPM signs to certify it: the members pubArea and certInfo of a statement.
public struct TPMCertification: Hashable, Sendable {
  /// The version of TPM.
  public var version = "2.0"
  /// The key as a TPM describes it: a TPMT_PUBLIC.
  public var publicArea: [UInt8]
  /// TPM_GENERATED_VALUE: what no bytes from outside that a TPM signs begin with.
  public var magic: UInt32 = 0xff54_4347
  /// TPM_ST_ATTEST_CERTIFY
  public var structureType: UInt16 = 0x8017
  /// The name of the attestation key; may be veiled.
  public var qualifiedSigner: [UInt8] = []
  /// What the caller wanted signed along: the hash of the authenticator data and the client data's hash.
  public var extraData: [UInt8]
  /// The TPM's clock, its counts of resets and restarts, and whether the clock is safe; may be veiled.
  public var clockInfo: [UInt8] = [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1, 0, 0, 0, 1, 1]
  /// The firmware's version; may be veiled.
  public var firmwareVersion: UInt64 = 0
  /// How the TPM calls the key; nil is the right name, that of the public area.
  public var name: [UInt8]?
  /// How it calls it with all the keys above it; may be veiled.
  public var qualifiedName: [UInt8] = []

  /// The certification of a credential's key in its ceremony, to be signed with this hash.
  init(of subject: AttestationSubject, _ hash: COSEHash) throws(CryptoError) {
    publicArea = try TPMPublicArea.bytes(of: subject.credentialKey.publicKey)
    extraData = Digest.hash(subject.signedBytes, with: hash)
  }

  /// The member certInfo.
  public var certifyInfo: [UInt8] {
    var writer = ByteWriter()
    writer.write(magic)
    writer.write(structureType)
    writer.writeSized(qualifiedSigner)
    writer.writeSized(extraData)
    writer.write(clockInfo)
    writer.write(firmwareVersion)
    writer.writeSized(name ?? TPMPublicArea.name(of: publicArea))
    writer.writeSized(qualifiedName)
    return writer.bytes
  }
}

extension ByteWriter {
  /// A TPM2B structure: two bytes of length, and so many bytes.
  mutating func writeSized(_ bytes: some Collection<UInt8>) {
    write(UInt16(clamping: bytes.count))
    write([UInt8](bytes))
  }
}
