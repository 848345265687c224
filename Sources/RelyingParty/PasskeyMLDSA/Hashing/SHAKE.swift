// SPDX-License-Identifier: Apache-2.0

/// An extendable-output function of FIPS 202 §6.2, with FIPS 204's names for both (§3.7).
///
/// All input is absorbed before the first output byte is squeezed.
package struct SHAKE {
  private var state = KeccakState()
  private let rateByteCount: Int
  /// The next byte of the block to absorb or to squeeze.
  private var position = 0

  private init(rateByteCount: Int) {
    self.rateByteCount = rateByteCount
  }

  /// SHAKE128, which FIPS 204 calls G.
  package static func g() -> SHAKE { SHAKE(rateByteCount: 168) }

  /// SHAKE256, which FIPS 204 calls H.
  package static func h() -> SHAKE { SHAKE(rateByteCount: 136) }

  /// Absorbs one byte.
  mutating func absorb(_ byte: UInt8) {
    state.lanes[position / 8] ^= UInt64(byte) &<< UInt64(position % 8 * 8)
    position += 1
    if position == rateByteCount { nextBlock() }
  }

  /// Absorbs a byte string.
  package mutating func absorb(_ bytes: Span<UInt8>) {
    var next = 0
    while next < bytes.count {
      if position % 8 == 0, bytes.count - next >= 8 {
        absorb(lane: bytes.littleEndianInteger(at: next))
        next += 8
      } else {
        absorb(bytes[next])
        next += 1
      }
    }
  }

  private mutating func absorb(lane: UInt64) {
    state.lanes[position / 8] ^= lane
    position += 8
    if position == rateByteCount { nextBlock() }
  }

  /// Ends the input with the suffix of SHAKE and the padding pad10*1.
  package mutating func finish() {
    state.lanes[position / 8] ^= 0x1f &<< UInt64(position % 8 * 8)
    state.lanes[rateByteCount / 8 - 1] ^= 0x80 &<< 56
    nextBlock()
  }

  /// Squeezes one byte.
  mutating func squeeze() -> UInt8 {
    if position == rateByteCount { nextBlock() }
    let byte = UInt8(truncatingIfNeeded: state.lanes[position / 8] &>> UInt64(position % 8 * 8))
    position += 1
    return byte
  }

  /// Squeezes `count` bytes.
  package mutating func squeeze(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    for i in bytes.indices { bytes[i] = squeeze() }
    return bytes
  }

  /// Discards the rest of the block.
  mutating func nextBlock() {
    state.permute()
    position = 0
  }

  /// Returns a lane of the block that is squeezed.
  func lane(_ index: Int) -> UInt64 { state.lanes[index] }

  /// Overwrites the state, after a secret was absorbed.
  mutating func wipe() {
    state.lanes.wipe()
  }
}
