// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// The eight bytes from `position` on as one number, whose lowest byte is the first of them.
  ///
  /// For searches that look at eight bytes at a time. Checked against the span's bounds as a subscript is; the mark is
  /// there only because any bits may be taken for a number.
  @inlinable package func word(at position: Int) -> UInt64 {
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    return UInt64(littleEndian: word)
  }
}

extension Span<UInt8> {
  /// Whether both have the same bytes. For what may be told by the time that it takes; secrets have another function.
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
