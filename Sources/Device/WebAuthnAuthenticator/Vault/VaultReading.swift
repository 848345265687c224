// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

/// The vault file parser, exposed to fuzzers and property tests. They seal arbitrary bytes with a known key.
package enum VaultReading {
  private static let key = try? VaultKey(
    passphrase: SecretBytes([]), cost: VaultCost(logN: 1, r: 1, p: 1), salt: [UInt8](repeating: 0, count: 16), path: "")

  /// Returns a file whose records contain these plaintexts; nil if sealing fails.
  package static func file(holding plaintexts: [Bytes]) -> [UInt8]? {
    guard let key else { return nil }
    let identity = [UInt8](repeating: 0, count: VaultHeader.identityByteCount)
    guard let recordKey = try? key.recordKey(identity) else { return nil }
    var file = VaultHeader(key: key, vault: identity, generation: identity).bytes
    var link = file
    for (index, plaintext) in plaintexts.enumerated() {
      let sealed = try? VaultRecord.seal(
        plaintext, sequence: UInt64(index), recordKey, after: link, random: .seeded([UInt8(truncatingIfNeeded: index)]))
      guard let (bytes, next) = sealed else { return nil }
      file += bytes
      link = next
    }
    return file
  }

  /// Returns the encoded state of a file; nil if the file is invalid.
  package static func state(in file: Bytes) -> [UInt8]? {
    guard let key else { return nil }
    return try? VaultFile(parsing: file, path: "").open(with: key, path: "").state.encoded
  }
}
