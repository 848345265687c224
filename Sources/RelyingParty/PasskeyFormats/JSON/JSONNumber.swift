// SPDX-License-Identifier: Apache-2.0

/// The parts of a number's text: `-12.5e3` is a minus sign, the digits 125, and the power of ten 2.
struct JSONNumber {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Splits a text that follows the grammar (RFC 8259 §6).
  init(_ text: Bytes) {
    isNegative = text.first == UInt8(ascii: "-")
    let unsigned = isNegative ? text.dropFirst() : text
    let mantissa = unsigned.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    let fraction = mantissa[whole.endIndex...].dropFirst()
    digits = (whole + fraction).map { $0 &- UInt8(ascii: "0") }
    exponent = Self.power(unsigned[mantissa.endIndex...].dropFirst()) - fraction.count
  }

  /// Returns the number if it is an integer that fits the type, or `nil`.
  func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let kept = digits.dropLast(max(0, -exponent))
    // The digits removed by a negative power of ten must be zeros.
    guard digits[kept.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
    var number: Number = 0
    for digit in kept {
      guard append(digit, to: &number) else { return nil }
    }
    // Zero stays zero. Any other number leaves the range of the type after few steps, even if the exponent is large.
    var zeros = number == 0 ? 0 : max(0, exponent)
    while zeros > 0 {
      guard append(0, to: &number) else { return nil }
      zeros -= 1
    }
    return number
  }

  private func append<Number: FixedWidthInteger>(_ digit: UInt8, to number: inout Number) -> Bool {
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    guard !isTooLarge, let digit = Number(exactly: digit) else { return false }
    let (sum, overflow) =
      isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
    number = sum
    return !overflow
  }

  /// Returns the exponent, clamped to ±10¹², which no text has enough digits to offset.
  private static func power(_ text: Bytes) -> Int {
    let limit = 1_000_000_000_000
    var power = 0
    for character in text where character != UInt8(ascii: "+") && character != UInt8(ascii: "-") {
      power = min(limit, power * 10 + Int(character &- UInt8(ascii: "0")))
    }
    return text.first == UInt8(ascii: "-") ? -power : power
  }
}
