// SPDX-License-Identifier: Apache-2.0

/// Where `bytes` stop being UTF-8: the index of the first byte of the first sequence that is not well formed, or `nil`
/// when all of them are.
///
/// RFC 3629 §4: a sequence that is overlong, cut short, a surrogate or above U+10FFFF is not well formed.
package func firstInvalidUTF8(in bytes: Bytes) -> Int? {
  guard let position = firstInvalidUTF8(in: bytes.span) else { return nil }
  return bytes.startIndex + position
}

/// The same for a span, whose positions begin at 0.
package func firstInvalidUTF8(in bytes: Span<UInt8>) -> Int? {
  var position = endOfASCII(in: bytes, from: 0)
  while position < bytes.count {
    let length = lengthOfUTF8Sequence(in: bytes, at: position)
    guard length > 0 else { return position }
    position += length
    // Where there is one such character, there are usually more.
    if position < bytes.count, bytes[position] < 0x80 { position = endOfASCII(in: bytes, from: position) }
  }
  return nil
}

/// The length of the well-formed sequence of two to four bytes that begins at `position`; 0 when there is none.
///
/// The rows are those of RFC 3629 §4; only the second byte of a sequence has a range of its own.
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

/// The position of the first byte at or after `start` that is not ASCII, or the end.
private func endOfASCII(in bytes: Span<UInt8>, from start: Int) -> Int {
  var position = start
  // Only a byte that is not ASCII has its high bit set.
  while bytes.count - position >= 8 {
    let high = bytes.word(at: position) & 0x8080_8080_8080_8080
    if high != 0 { return position + high.trailingZeroBitCount / 8 }
    position += 8
  }
  while position < bytes.count, bytes[position] < 0x80 { position += 1 }
  return position
}

extension Unicode.Scalar {
  /// Whether a terminal can be given this without obeying it, hiding it or turning the line around.
  package var mayBeShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}
