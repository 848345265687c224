// SPDX-License-Identifier: Apache-2.0

/// A number's text, taken apart: `-12.5e3` is minus, the digits 125, times ten to the power of 2.
struct JSONNumber {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Takes a text apart that keeps to the grammar (RFC 8259 §6).
  init(_ text: Bytes) {
    isNegative = text.first == UInt8(ascii: "-")
    let unsigned = isNegative ? text.dropFirst() : text
    let mantissa = unsigned.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
    let fraction = mantissa[whole.endIndex...].dropFirst()
    digits = (whole + fraction).map { $0 &- UInt8(ascii: "0") }
    exponent = Self.power(unsigned[mantissa.endIndex...].dropFirst()) - fraction.count
  }

  /// The number, if it is whole and fits.
  func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    let kept = digits.dropLast(max(0, -exponent))
    // What a negative power of ten cuts off must be zeros.
    guard digits[kept.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
    var number: Number = 0
    for digit in kept {
      guard append(digit, to: &number) else { return nil }
    }
    // Zero stays zero; anything else is out of range long before a large exponent is used up.
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

  /// An exponent; one beyond all reason becomes a trillion, which no text has the digits to make up for.
  private static func power(_ text: Bytes) -> Int {
    let limit = 1_000_000_000_000
    var power = 0
    for character in text where character != UInt8(ascii: "+") && character != UInt8(ascii: "-") {
      power = min(limit, power * 10 + Int(character &- UInt8(ascii: "0")))
    }
    return text.first == UInt8(ascii: "-") ? -power : power
  }
}
