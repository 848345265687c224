// SPDX-License-Identifier: Apache-2.0

/// An integer of any size: tag 2 or 3 (RFC 8949 §3.4.3).
package struct CBORBignum: Hashable, Sendable {
  /// Whether the number is −1 − n, where n is the magnitude.
  package let isNegative: Bool

  /// The magnitude n, big-endian.
  package let magnitude: Bytes

  /// Creates a bignum from a tag and its content; `nil` if they do not form one.
  package init?(tag: UInt64, content: CBORValue) {
    guard tag == 2 || tag == 3, case .bytes(let magnitude) = content.kind else { return nil }
    isNegative = tag == 3
    self.magnitude = magnitude
  }

  /// The number in decimal digits. Takes time quadratic in the length.
  package var decimal: String {
    var digits = Self.limbs(of: magnitude, plus: isNegative ? 1 : 0)
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    let text = digits.reversed().map { limb in
      let text = "\(limb)"
      return String(repeating: "0", count: Self.digitsPerLimb - text.count) + text
    }.joined()
    let significant = text.drop { $0 == "0" }
    return (isNegative ? "-" : "") + (significant.isEmpty ? "0" : significant)
  }

  private static let limbBase: UInt64 = 1_000_000_000
  private static let digitsPerLimb = 9

  /// Splits the magnitude into limbs of base 1,000,000,000, lowest first.
  private static func limbs(of magnitude: Bytes, plus one: UInt64) -> [UInt64] {
    var limbs: [UInt64] = [0]
    func multiplyAndAdd(_ factor: UInt64, _ addend: UInt64) {
      var carry = addend
      for index in limbs.indices {
        let sum = limbs[index] * factor + carry
        limbs[index] = sum % limbBase
        carry = sum / limbBase
      }
      if carry > 0 { limbs.append(carry) }
    }
    for byte in magnitude { multiplyAndAdd(256, UInt64(byte)) }
    multiplyAndAdd(1, one)
    return limbs
  }
}
