// SPDX-License-Identifier: Apache-2.0

// Limits
//   length: 4 octets    [no artifact is longer than 4 GiB; arithmetic on lengths cannot overflow]
//   tag number: 32 bits [Android's key description, the largest user, stays below 1,000]
// Only definite lengths in the fewest octets, and tags in the fewest octets, are accepted (X.690 §10.1, §8.1.2.4).

/// The header of an element: its tag and the length of its content.
struct DERHeader {
  let tag: DERTag

  /// The length of the header itself.
  let byteCount: Int

  /// The length of the content, checked against the input.
  let contentByteCount: Int

  private static let maximumLengthOctets = 4

  /// Reads the header at the start of `bytes`.
  init(of bytes: Bytes) throws(WireError) {
    // Fast path: nearly every header has two octets.
    let start = bytes.startIndex
    if bytes.count >= 2, bytes[start] & 0x1f != 0x1f, bytes[start + 1] < 0x80 {
      tag = DERTag(leadingOctet: bytes[start], number: UInt32(bytes[start] & 0x1f))
      byteCount = 2
      contentByteCount = Int(bytes[start + 1])
      guard contentByteCount <= bytes.count - 2 else { throw WireError(.derLengthExceedsInput, at: start + 1) }
      return
    }
    var cursor = bytes
    tag = try Self.readTag(&cursor)
    contentByteCount = try Self.readLength(&cursor)
    byteCount = cursor.startIndex - start
  }

  private static func readTag(_ cursor: inout Bytes) throws(WireError) -> DERTag {
    let start = cursor.startIndex
    let leading = try readOctet(&cursor)
    guard leading & 0x1f == 0x1f else { return DERTag(leadingOctet: leading, number: UInt32(leading & 0x1f)) }
    var number: UInt32 = 0
    while true {
      let octet = try readOctet(&cursor)
      // Rejects leading zeros and numbers above 32 bits.
      guard number != 0 || octet != 0x80, number >> 25 == 0 else { throw WireError(.derInvalidTag, at: start) }
      number = number << 7 | UInt32(octet & 0x7f)
      if octet & 0x80 == 0 { break }
    }
    guard number >= 0x1f else { throw WireError(.derInvalidTag, at: start) }
    return DERTag(leadingOctet: leading, number: number)
  }

  private static func readLength(_ cursor: inout Bytes) throws(WireError) -> Int {
    let start = cursor.startIndex
    let first = try readOctet(&cursor)
    var length = Int(first)
    if first >= 0x80 {
      let octets = Int(first & 0x7f)
      guard 1...maximumLengthOctets ~= octets else { throw WireError(.derInvalidLength, at: start) }
      length = 0
      for _ in 0..<octets {
        length = length << 8 | Int(try readOctet(&cursor))
      }
      let minimumOctetCount = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
      guard length >= 0x80, octets == minimumOctetCount else { throw WireError(.derInvalidLength, at: start) }
    }
    guard length <= cursor.count else { throw WireError(.derLengthExceedsInput, at: start) }
    return length
  }

  private static func readOctet(_ cursor: inout Bytes) throws(WireError) -> UInt8 {
    guard let octet = cursor.popFirst() else { throw WireError(.derTruncated, at: cursor.endIndex) }
    return octet
  }
}

extension DERTag {
  fileprivate init(leadingOctet: UInt8, number: UInt32) {
    let tagClass: Class =
      switch leadingOctet >> 6 {
      case 0: .universal
      case 1: .application
      case 2: .contextSpecific
      default: .privateUse
      }
    self.init(tagClass, number, isConstructed: leadingOctet & 0x20 != 0)
  }
}
