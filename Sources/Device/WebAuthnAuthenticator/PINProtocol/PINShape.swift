// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The length and the complexity of a PIN, computed without keeping the PIN.
struct PINShape: Sendable {
  /// The number of code points, to which minimum lengths apply (CTAP 2.3 §6.5.1).
  let codePointCount: Int

  /// Whether the complexity policy rejects the PIN (§7.5). It does so if the PIN has fewer than three different code
  /// points, like 1111 and 1212, or only ascending or descending ones, like 12345678 and dcba.
  let isTooSimple: Bool

  /// Scans a PIN once, or returns nil if it is not UTF-8.
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
        isTooSimple = !reading.hasThreeDistinct || reading.isConsecutive
        return
      }
    }
  }
}

/// The state of the scan.
private struct Reading {
  private(set) var count = 0
  /// Whether the PIN has at least three different code points.
  private(set) var hasThreeDistinct = false
  /// Whether all code points so far ascend by one, or all descend by one.
  private(set) var isConsecutive = true

  private var first: UInt32?
  private var second: UInt32?
  private var previous: UInt32?
  private var stride: Int64?

  mutating func take(_ codePoint: UInt32) {
    count += 1
    countDistinct(codePoint)
    checkStep(codePoint)
    previous = codePoint
  }

  private mutating func countDistinct(_ codePoint: UInt32) {
    if first == nil || first == codePoint {
      first = codePoint
    } else if second == nil || second == codePoint {
      second = codePoint
    } else {
      hasThreeDistinct = true
    }
  }

  private mutating func checkStep(_ codePoint: UInt32) {
    guard let previous else { return }
    let step = Int64(codePoint) - Int64(previous)
    isConsecutive = isConsecutive && abs(step) == 1 && step == stride ?? step
    stride = step
  }
}
