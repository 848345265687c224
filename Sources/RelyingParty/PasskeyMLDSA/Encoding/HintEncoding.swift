// SPDX-License-Identifier: Apache-2.0

extension ParameterSet {
  /// HintBitPack: encodes a hint of at most ω ones: their positions, polynomial by polynomial, then the number of ones up to
  /// each polynomial's end (FIPS 204, algorithm 20).
  func hintBitPack(_ h: [Polynomial]) -> [UInt8] {
    var positions: [UInt8] = []
    var ends: [UInt8] = []
    for polynomial in h {
      let coefficients = polynomial.coefficients.span
      for i in 0..<Polynomial.count where coefficients[i] != 0 {
        positions.append(UInt8(truncatingIfNeeded: i))
      }
      ends.append(UInt8(truncatingIfNeeded: positions.count))
    }
    return positions + [UInt8](repeating: 0, count: max(0, omega - positions.count)) + ends
  }

  /// HintBitUnpack: decodes a hint of ω + k bytes; `nil` if it is malformed (FIPS 204, algorithm 21).
  ///
  /// Only one encoding of a hint is accepted, so that an attacker cannot make a second signature out of one: the positions of a
  /// polynomial increase, and unused bytes are zero.
  func hintBitUnpack(_ y: Span<UInt8>) -> [Polynomial]? {
    guard y.count == omega + k else { return nil }
    var h = [Polynomial](zeros: k)
    var index = 0
    for i in 0..<k {
      let end = Int(y[omega + i])
      guard (index...omega).contains(end) else { return nil }
      let first = index
      while index < end {
        if index > first, y[index - 1] >= y[index] { return nil }
        h[i].coefficients[Int(y[index])] = 1
        index += 1
      }
    }
    for unused in index..<omega where y[unused] != 0 { return nil }
    return h
  }
}
