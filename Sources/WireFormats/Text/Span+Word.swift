// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// The eight bytes from `position` on as one number, whose lowest byte is the first of them.
  ///
  /// For searches that look at eight bytes at a time. Checked against the span's bounds as a subscript is; the mark is
  /// there only because any bits may be taken for a number.
  func word(at position: Int) -> UInt64 {
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    return UInt64(littleEndian: word)
  }
}
