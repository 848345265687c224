// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnBrowser

// stream = (block, ...), block = header[1], LEN[2], NLEN[2], bytes[LEN]      RFC 1951 §3.2.4

/// DEFLATE without compression, for large blobs that only this module writes and reads.
struct StoredBlocks: BlobCompression {
  private static let headByteCount = 5

  func compress(_ input: [UInt8]) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = input[...]
    repeat {
      let block = rest.prefix(Int(UInt16.max))
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { output += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
      output += block
    } while !rest.isEmpty
    return output
  }

  func decompress(_ input: Bytes, byteCount: Int) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = input
    var isLast = false
    while !isLast {
      let head = Array(rest.prefix(Self.headByteCount))
      guard head.count == Self.headByteCount, head[0] <= 1 else { return nil }
      let count = Int(head[1]) | Int(head[2]) << 8
      rest = rest.dropFirst(Self.headByteCount)
      guard head[1] == ~head[3], head[2] == ~head[4], rest.count >= count else { return nil }
      output += rest.prefix(count)
      rest = rest.dropFirst(count)
      isLast = head[0] == 1
    }
    return rest.isEmpty && output.count == byteCount ? output : nil
  }
}
