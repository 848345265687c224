// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
package import WireFormats

/// The reader of vault files before bytes that nobody wrote: for fuzzers and property tests, which seal what they make up
/// with a key that is known.
package enum VaultReading {
  private static let key = try? VaultKey(
    passphrase: SecretBytes([]), cost: VaultCost(logN: 1, r: 1, p: 1), salt: [UInt8](repeating: 0, count: 16), path: "")

  /// A file whose records hold these bytes; nil where it cannot be sealed.
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

  /// The state that a file holds, as bytes; nil where it is refused.
  package static func state(in file: Bytes) -> [UInt8]? {
    guard let key else { return nil }
    return try? VaultFile(parsing: file, path: "").open(with: key, path: "").state.encoded
  }
}
