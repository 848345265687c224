// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator

// TPMS_ATTEST                                                                      (TPM 2.0 Library, part 2, §10.12.8)
//   magic           TPM_GENERATED   4 bytes
//   type            TPMI_ST_ATTEST  2
//   qualifiedSigner TPM2B_NAME
//   extraData       TPM2B_DATA
//   clockInfo       TPMS_CLOCK_INFO 17
//   firmwareVersion UINT64          8
//   attested        TPMS_CERTIFY_INFO { name TPM2B_NAME, qualifiedName TPM2B_NAME }

/// The certification of a key by a TPM: the members `pubArea` and `certInfo` of a statement.
package struct TPMCertification: Hashable, Sendable {
  /// The TPM version.
  package var version = "2.0"
  /// The public area of the key: a TPMT_PUBLIC.
  package var publicArea: [UInt8]
  /// TPM_GENERATED_VALUE. A TPM does not sign external data that begins with it.
  package var magic: UInt32 = 0xff54_4347
  /// TPM_ST_ATTEST_CERTIFY
  package var structureType: UInt16 = 0x8017
  /// The qualified name of the attestation key. A TPM may obfuscate it.
  package var qualifiedSigner: [UInt8] = []
  /// The hash of the authenticator data and the client data hash.
  package var extraData: [UInt8]
  /// The TPM's clock, reset count, restart count and safe flag. A TPM may obfuscate them.
  package var clockInfo: [UInt8] = [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1, 0, 0, 0, 1, 1]
  /// The firmware version. A TPM may obfuscate it.
  package var firmwareVersion: UInt64 = 0
  /// The name of the key. Nil means the correct name, computed from the public area.
  package var name: [UInt8]?
  /// The qualified name of the key, computed over its parent keys. A TPM may obfuscate it.
  package var qualifiedName: [UInt8] = []

  /// Creates the certification of a credential key in its ceremony. `hash` is that of the signature algorithm.
  init(of subject: AttestationSubject, _ hash: COSEHash) throws(PasskeyCryptoError) {
    publicArea = try TPMPublicArea.bytes(of: subject.credentialKey.publicKey)
    extraData = Digest.hash(subject.signedBytes, with: hash)
  }

  /// The encoded `certInfo` member.
  package var certifyInfo: [UInt8] {
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
  /// Writes a TPM2B structure: a two-byte length and the bytes.
  mutating func writeSized(_ bytes: some ByteSource) {
    write(UInt16(clamping: bytes.count))
    write([UInt8](bytes))
  }
}
