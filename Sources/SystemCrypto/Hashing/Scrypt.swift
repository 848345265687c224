// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Keys from passphrases, at a cost that the guesser pays too (RFC 7914).
public enum Scrypt {
  /// What a guess costs.
  public struct Cost: Hashable, Sendable {
    /// *N*: the work, a power of two above one.
    public let n: Int
    /// *r*: the size of a block, in units of 128 bytes.
    public let r: Int
    /// *p*: how often the work is done.
    public let p: Int

    /// A cost. Whether it is one that scrypt has is found out when it is used.
    public init(n: Int, r: Int, p: Int) {
      self.n = n
      self.r = r
      self.p = p
    }

    /// How much memory it takes: *p* blocks and *N* + 2 more. Nothing where it is no cost that scrypt has (RFC 7914 §6).
    public var memoryByteCount: Int? {
      guard n > 1, n & (n - 1) == 0, r > 0, p > 0 else { return nil }
      let (lanes, lanesOverflow) = r.multipliedReportingOverflow(by: p)
      guard !lanesOverflow, lanes < 1 << 30 else { return nil }
      // N < 2 ^ (128 r / 8): no bound at all on a machine with 64 bits but for the smallest r.
      guard r >= 4 || n.trailingZeroBitCount < 16 * r else { return nil }
      let (blocks, blocksOverflow) = (n + p).addingReportingOverflow(2)
      let (bytes, bytesOverflow) = blocks.multipliedReportingOverflow(by: 128 * r)
      return blocksOverflow || bytesOverflow ? .max : bytes
    }
  }

  /// Derives `byteCount` bytes from a passphrase.
  ///
  /// A cost that takes more than `memoryLimit` bytes is refused before anything is allocated: the cost stands in a file's
  /// header, and whoever wrote that need not be a friend.
  public static func derive(
    from passphrase: SecretBytes, salt: Bytes, cost: Cost, byteCount: Int, memoryLimit: Int = 256 << 20
  ) throws(CryptoError) -> SecretBytes {
    guard let memory = cost.memoryByteCount else {
      throw CryptoError(.invalidParameter, "scrypt with N=\(cost.n), r=\(cost.r), p=\(cost.p)")
    }
    guard memory <= memoryLimit else {
      throw CryptoError(.memoryLimitExceeded, "scrypt in \(memory) bytes, where \(memoryLimit) are allowed")
    }
    guard (1...1 << 20).contains(byteCount) else { throw CryptoError(.invalidLength, "\(byteCount) bytes of scrypt") }
    return try MemoryHardHash.scrypt(
      passphrase, salt: salt, n: cost.n, r: cost.r, p: cost.p, byteCount: byteCount, memoryLimit: memory)
  }
}
