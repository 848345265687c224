// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCrypto

/// Reproducible random numbers for the order of operations. Not for keys.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: String, label: String) {
    state = Digest.sha256(Array("\(label) \(seed)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns an exponentially distributed number with the mean 1.
  mutating func exponential() -> Double { -log1p(-unit()) }
}
