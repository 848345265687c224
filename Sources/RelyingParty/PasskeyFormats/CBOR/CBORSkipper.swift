// SPDX-License-Identifier: Apache-2.0

/// Finds the end of an item that ``CBORScanner`` has accepted, without checking it again.
///
/// It never traps: for bytes that were not scanned it stops at their end.
enum CBORSkipper {
  static func end(ofItemAt start: Int, in bytes: Span<UInt8>) -> Int {
    var position = start
    skipItem(in: bytes, at: &position, depth: 0)
    return position
  }

  /// Returns the end of an item whose head is already read.
  static func end(ofContentOf head: CBORHead, at start: Int, in bytes: Span<UInt8>) -> Int {
    var position = start
    skipContent(of: head, in: bytes, at: &position, depth: 0)
    return position
  }

  private static func skipItem(in bytes: Span<UInt8>, at position: inout Int, depth: Int) {
    guard depth <= maximumCBORDepth, let head = try? CBORHead(in: bytes, at: &position) else {
      position = bytes.count
      return
    }
    skipContent(of: head, in: bytes, at: &position, depth: depth)
  }

  private static func skipContent(of head: CBORHead, in bytes: Span<UInt8>, at position: inout Int, depth: Int) {
    switch head.majorType {
    case .unsigned, .negative, .simple: break
    case .bytes, .text:
      if head.isIndefinite { return skipUntilBreak(in: bytes, at: &position, depth: depth) }
      position += Int(clamping: min(head.argument, UInt64(bytes.count - position)))
    case .tag: skipItem(in: bytes, at: &position, depth: depth + 1)
    case .array, .map:
      if head.isIndefinite { return skipUntilBreak(in: bytes, at: &position, depth: depth) }
      var remainingItemCount = head.argument
      if head.majorType == .map {
        remainingItemCount = remainingItemCount.multipliedReportingOverflow(by: 2).partialValue
      }
      while remainingItemCount > 0, position < bytes.count {
        skipItem(in: bytes, at: &position, depth: depth + 1)
        remainingItemCount -= 1
      }
    }
  }

  private static func skipUntilBreak(in bytes: Span<UInt8>, at position: inout Int, depth: Int) {
    while position < bytes.count {
      if bytes[position] == CBORHead.breakByte {
        position += 1
        return
      }
      skipItem(in: bytes, at: &position, depth: depth + 1)
    }
  }
}

extension Bytes {
  /// The scanned item at the start of these bytes.
  var prefixItem: Bytes { prefix(CBORSkipper.end(ofItemAt: 0, in: span)) }
}
