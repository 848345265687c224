// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats

@testable import WebAuthnAuthenticator

/// A file as version 1 wrote it.
enum VersionOneFile {
  static func bytes(of state: DeviceState, _ passphrase: SecretBytes) throws -> [UInt8] {
    let key = try VaultKey(new: passphrase, cost: .test, random: .system, path: "")
    var header = VaultHeader.magic + [0, 1, key.cost.logN, key.cost.r, key.cost.p] + key.salt
    header += key.check(of: header[...])
    let nonce = try RandomSource.system.bytes(12)
    let plaintext = state.encoded
    var writer = ByteWriter()
    writer.write(header + nonce)
    writer.write(UInt32(plaintext.count))
    let box = try SealedBox.seal(
      plaintext[...], key: key.sealing, nonce: nonce[...], authenticating: writer.bytes[...])
    let file = writer.bytes + box.ciphertext + box.tag
    return file + Digest.sha256(file[...])
  }
}
