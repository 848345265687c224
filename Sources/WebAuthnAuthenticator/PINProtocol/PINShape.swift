// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What can be said of a PIN without keeping it: how long it is, and whether it is one that anybody would try first.
struct PINShape: Sendable {
  /// How many code points it has: what minimum lengths count (CTAP 2.3 §6.5.1).
  let codePointCount: Int

  /// Whether the complexity policy refuses it (§7.5): it has fewer than three different code points, as 1111 and 1212 do, or
  /// they count up or down all the way, as 12345678 and dcba do.
  let isTooSimple: Bool

  /// Looks at a PIN once, from front to back; nil where it is not UTF-8.
  init?(utf8: Bytes) {
    var reading = Reading()
    var decoder = UTF8()
    var bytes = utf8.makeIterator()
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): reading.take(scalar.value)
      case .error: return nil
      case .emptyInput:
        codePointCount = reading.count
        isTooSimple = !reading.hasThird || reading.isRow
        return
      }
    }
  }
}

/// What is noticed of a PIN while it is read.
private struct Reading {
  private(set) var count = 0
  /// Whether there is a code point besides two others.
  private(set) var hasThird = false
  /// Whether each code point is the one before it and one, or each less one.
  private(set) var isRow = true

  private var first: UInt32?
  private var second: UInt32?
  private var previous: UInt32?
  private var stride: Int64?

  mutating func take(_ codePoint: UInt32) {
    count += 1
    noticeThird(codePoint)
    noticeRow(codePoint)
    previous = codePoint
  }

  private mutating func noticeThird(_ codePoint: UInt32) {
    if first == nil || first == codePoint {
      first = codePoint
    } else if second == nil || second == codePoint {
      second = codePoint
    } else {
      hasThird = true
    }
  }

  private mutating func noticeRow(_ codePoint: UInt32) {
    guard let previous else { return }
    let step = Int64(codePoint) - Int64(previous)
    isRow = isRow && abs(step) == 1 && step == stride ?? step
    stride = step
  }
}
