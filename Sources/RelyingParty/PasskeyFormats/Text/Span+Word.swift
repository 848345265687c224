// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// Returns the eight bytes at `position` as a little-endian number. Traps if they are out of bounds.
  ///
  /// For searches that process eight bytes at a time. The load is marked unsafe because it reinterprets bytes as a
  /// number; every bit pattern is a valid `UInt64`.
  @inlinable package func word(at position: Int) -> UInt64 {
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    return UInt64(littleEndian: word)
  }
}

extension Span<UInt8> {
  /// Whether two spans have equal bytes. Not constant time, so never use it for secrets.
  @inlinable package func isEqual(to other: Self) -> Bool {
    guard count == other.count else { return false }
    var position = 0
    while count - position >= 8 {
      guard word(at: position) == other.word(at: position) else { return false }
      position += 8
    }
    while position < count {
      guard self[position] == other[position] else { return false }
      position += 1
    }
    return true
  }
}
