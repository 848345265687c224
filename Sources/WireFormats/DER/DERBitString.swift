// SPDX-License-Identifier: Apache-2.0

/// The value of a BIT STRING.
public struct DERBitString: Hashable, Sendable {
  /// The bits, eight to an octet, the first of them the highest.
  public let octets: Bytes

  /// How many of the last octet's lowest bits do not count; they are zero.
  public let unusedBits: Int

  /// The number of bits.
  public var count: Int { octets.count * 8 - unusedBits }

  /// Whether the bit with this number is set; bits past the end are not.
  public subscript(bit: Int) -> Bool {
    guard bit >= 0, let octet = octets.dropFirst(bit / 8).first else { return false }
    return octet & (0x80 >> (bit % 8)) != 0
  }

  init(octets: Bytes, unusedBits: Int) {
    self.octets = octets
    self.unusedBits = unusedBits
  }
}
