// SPDX-License-Identifier: Apache-2.0

/// A polynomial of 256 coefficients modulo q, or its number-theoretic transform. Which of both, and the range of the
/// coefficients, depends on the place of use.
///
/// Loops that only read take the coefficients' span: the compiler would copy all of them for each one that is read.
struct Polynomial {
  static let count = 256

  var coefficients = InlineArray<256, Int32>(repeating: 0)

  /// The length of an encoding with `bits` bits for each coefficient.
  static func byteCount(bits: Int) -> Int { bits * count / 8 }

  mutating func add(_ other: Polynomial) {
    let other = other.coefficients.span
    for i in 0..<Self.count { coefficients[i] = coefficients[i] &+ other[i] }
  }

  mutating func subtract(_ other: Polynomial) {
    let other = other.coefficients.span
    for i in 0..<Self.count { coefficients[i] = coefficients[i] &- other[i] }
  }

  /// Replaces each coefficient.
  @inline(__always)
  mutating func map(_ change: (Int32) -> Int32) {
    for i in 0..<Self.count { coefficients[i] = change(coefficients[i]) }
  }

  /// Negative if the infinity norm is at least `bound`, for centered coefficients. The time does not depend on them.
  func slack(below bound: Int32) -> Int32 {
    let coefficients = coefficients.span
    var slack: Int32 = 0
    for i in 0..<Self.count { slack |= bound &- 1 &- coefficients[i].absolute }
    return slack
  }
}

extension [Polynomial] {
  /// A vector of zero polynomials.
  init(zeros count: Int) {
    self.init(repeating: Polynomial(), count: count)
  }

  /// Whether the infinity norm is below `bound`, for centered coefficients. The time does not depend on them.
  func hasNorm(below bound: Int32) -> Bool {
    var slack: Int32 = 0
    for i in indices { slack |= self[i].slack(below: bound) }
    return slack >= 0
  }
}
