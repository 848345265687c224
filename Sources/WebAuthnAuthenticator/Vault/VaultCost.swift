// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// The scrypt cost parameters of a vault, stored in its header.
public struct VaultCost: Hashable, Sendable {
  let logN: UInt8
  let r: UInt8
  let p: UInt8

  /// 128 MiB and about a third of a second: the default.
  public static let standard = VaultCost(logN: 17, r: 8, p: 1)

  /// A 64th of that, for tests only.
  public static let test = VaultCost(logN: 11, r: 8, p: 1)

  init(logN: UInt8, r: UInt8, p: UInt8) {
    self.logN = logN
    self.r = r
    self.p = p
  }

  /// The parameters for ``Scrypt``.
  var scrypt: Scrypt.Cost { Scrypt.Cost(n: logN < 32 ? 1 << Int(logN) : 0, r: Int(r), p: Int(p)) }
}
