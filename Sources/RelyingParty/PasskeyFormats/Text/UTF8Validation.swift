// SPDX-License-Identifier: Apache-2.0

/// Returns the index of the first byte of the first invalid UTF-8 sequence, or `nil` if all bytes are valid.
///
/// Overlong and truncated sequences, surrogates, and values above U+10FFFF are invalid (RFC 3629 §4).
package func firstInvalidUTF8(in bytes: Bytes) -> Int? {
  guard let position = firstInvalidUTF8(in: bytes.span) else { return nil }
  return bytes.startIndex + position
}

/// Returns the position of the first invalid UTF-8 sequence in a span, or `nil` if all bytes are valid.
package func firstInvalidUTF8(in bytes: Span<UInt8>) -> Int? {
  var position = endOfASCII(in: bytes, from: 0)
  while position < bytes.count {
    let length = lengthOfUTF8Sequence(in: bytes, at: position)
    guard length > 0 else { return position }
    position += length
    // Multi-byte characters usually come in runs.
    if position < bytes.count, bytes[position] < 0x80 { position = endOfASCII(in: bytes, from: position) }
  }
  return nil
}

/// Returns the length of the valid sequence of two to four bytes at `position`, or 0 if it is invalid.
///
/// The cases are the rows of RFC 3629 §4. Only the second byte has a range that depends on the first.
func lengthOfUTF8Sequence(in bytes: Span<UInt8>, at position: Int) -> Int {
  let lead = bytes[position]
  let length: Int
  let second: ClosedRange<UInt8>
  switch lead {
  case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
  case 0xe0: (length, second) = (3, 0xa0...0xbf)
  case 0xe1...0xec, 0xee...0xef: (length, second) = (3, 0x80...0xbf)
  case 0xed: (length, second) = (3, 0x80...0x9f)
  case 0xf0: (length, second) = (4, 0x90...0xbf)
  case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
  case 0xf4: (length, second) = (4, 0x80...0x8f)
  default: return 0
  }
  guard length <= bytes.count - position, second.contains(bytes[position + 1]) else { return 0 }
  if length > 2, bytes[position + 2] & 0xc0 != 0x80 { return 0 }
  if length > 3, bytes[position + 3] & 0xc0 != 0x80 { return 0 }
  return length
}

/// Returns the position of the first non-ASCII byte at or after `start`, or the end.
private func endOfASCII(in bytes: Span<UInt8>, from start: Int) -> Int {
  var position = start
  // The high bit is set only in non-ASCII bytes.
  while bytes.count - position >= 8 {
    let high = bytes.word(at: position) & 0x8080_8080_8080_8080
    if high != 0 { return position + high.trailingZeroBitCount / 8 }
    position += 8
  }
  while position < bytes.count, bytes[position] < 0x80 { position += 1 }
  return position
}
