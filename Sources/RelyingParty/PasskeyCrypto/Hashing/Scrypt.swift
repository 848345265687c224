// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Key derivation from passphrases (RFC 7914). Its cost also slows down guessing.
package enum Scrypt {
  /// The cost parameters of scrypt.
  package struct Cost: Hashable, Sendable {
    /// *N*: the work factor, a power of two above one.
    package let n: Int
    /// *r*: the block size in units of 128 bytes.
    package let r: Int
    /// *p*: the parallelization factor.
    package let p: Int

    /// Creates cost parameters. `Scrypt.derive` validates them.
    package init(n: Int, r: Int, p: Int) {
      self.n = n
      self.r = r
      self.p = p
    }

    /// The required memory: *p* blocks and *N* + 2 more. `nil` for invalid parameters (RFC 7914 §6).
    package var memoryByteCount: Int? {
      guard n > 1, n & (n - 1) == 0, r > 0, p > 0 else { return nil }
      let (lanes, lanesOverflow) = r.multipliedReportingOverflow(by: p)
      guard !lanesOverflow, lanes < 1 << 30 else { return nil }
      // N < 2 ^ (128 r / 8). On 64-bit machines this limits N only for small r.
      guard r >= 4 || n.trailingZeroBitCount < 16 * r else { return nil }
      let (blocks, blocksOverflow) = (n + p).addingReportingOverflow(2)
      let (bytes, bytesOverflow) = blocks.multipliedReportingOverflow(by: 128 * r)
      return blocksOverflow || bytesOverflow ? .max : bytes
    }
  }

  /// Derives `byteCount` bytes from a passphrase.
  ///
  /// The cost parameters may come from an untrusted file header, so parameters that need more than `memoryLimit` bytes
  /// are rejected before any allocation.
  ///
  /// - Throws: `crypto.memory-limit-exceeded`, or `crypto.invalid-parameter` for invalid cost parameters.
  package static func derive(
    from passphrase: SecretBytes, salt: some ByteSource, cost: Cost, byteCount: Int, memoryLimit: Int = 256 << 20
  ) throws(PasskeyCryptoError) -> SecretBytes {
    let salt = salt.slice
    guard let memory = cost.memoryByteCount else {
      throw PasskeyCryptoError(.invalidParameter, "scrypt with N=\(cost.n), r=\(cost.r), p=\(cost.p)")
    }
    guard memory <= memoryLimit else {
      throw PasskeyCryptoError(.memoryLimitExceeded, "scrypt needs \(memory) bytes, the limit is \(memoryLimit)")
    }
    guard (1...1 << 20).contains(byteCount) else {
      throw PasskeyCryptoError(.invalidLength, "scrypt output of \(byteCount) bytes")
    }
    return try MemoryHardHash.scrypt(
      passphrase, salt: salt, n: cost.n, r: cost.r, p: cost.p, byteCount: byteCount, memoryLimit: memory)
  }
}
