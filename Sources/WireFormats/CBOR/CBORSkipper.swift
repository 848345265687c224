// SPDX-License-Identifier: Apache-2.0

/// Finds the end of an item that a ``CBORScanner`` has accepted, without looking at what is in it.
///
/// It is total all the same: over bytes that no scanner has seen it stops at their end.
enum CBORSkipper {
  static func end(ofItemAt start: Int, in bytes: Bytes) -> Int {
    var position = start
    skipItem(in: bytes, at: &position, depth: 0)
    return position
  }

  private static func skipItem(in bytes: Bytes, at position: inout Int, depth: Int) {
    guard depth <= maximumCBORDepth, let head = try? CBORHead(in: bytes, at: &position) else {
      position = bytes.endIndex
      return
    }
    switch head.majorType {
    case .unsigned, .negative, .simple: break
    case .bytes, .text:
      if head.isIndefinite { return skipUntilBreak(in: bytes, at: &position, depth: depth) }
      position += Int(clamping: min(head.argument, UInt64(bytes.endIndex - position)))
    case .tag: skipItem(in: bytes, at: &position, depth: depth + 1)
    case .array, .map:
      if head.isIndefinite { return skipUntilBreak(in: bytes, at: &position, depth: depth) }
      var itemsLeft =
        head.majorType == .map ? head.argument.multipliedReportingOverflow(by: 2).partialValue : head.argument
      while itemsLeft > 0, position < bytes.endIndex {
        skipItem(in: bytes, at: &position, depth: depth + 1)
        itemsLeft -= 1
      }
    }
  }

  private static func skipUntilBreak(in bytes: Bytes, at position: inout Int, depth: Int) {
    while position < bytes.endIndex {
      if bytes[position] == CBORHead.breakByte {
        position += 1
        return
      }
      skipItem(in: bytes, at: &position, depth: depth + 1)
    }
  }
}

extension Bytes {
  /// The scanned item that these bytes begin with.
  var prefixItem: Bytes { self[startIndex..<CBORSkipper.end(ofItemAt: startIndex, in: self)] }
}
