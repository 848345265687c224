// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// Returns the eight bytes from `index` on as a little-endian integer. The last byte is read first, so that one check of
  /// bounds covers all.
  func littleEndianInteger(at index: Int) -> UInt64 {
    var integer: UInt64 = 0
    for offset in stride(from: 7, through: 0, by: -1) {
      integer = integer &<< 8 | UInt64(self[index &+ offset])
    }
    return integer
  }
}
