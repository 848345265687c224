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
    var decoder = UTF8()
    var bytes = utf8.makeIterator()
    var count = 0
    var first: UInt32?
    var second: UInt32?
    var hasThird = false
    var previous: UInt32?
    var stride: Int64?
    var isRow = true
    reading: while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar):
        count += 1
        if first == nil {
          first = scalar.value
        } else if second == nil, first != scalar.value {
          second = scalar.value
        } else if first != scalar.value, second != scalar.value {
          hasThird = true
        }
        if let previous {
          let step = Int64(scalar.value) - Int64(previous)
          isRow = isRow && abs(step) == 1 && step == stride ?? step
          stride = step
        }
        previous = scalar.value
      case .emptyInput: break reading
      case .error: return nil
      }
    }
    codePointCount = count
    isTooSimple = !hasThird || isRow
  }
}
