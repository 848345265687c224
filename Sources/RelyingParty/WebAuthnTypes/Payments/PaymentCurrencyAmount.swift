// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An amount of money (Payment Request API).
package struct PaymentCurrencyAmount: Sendable {
  /// The currency code, such as EUR.
  package let currency: String

  /// The value in decimal digits.
  package let value: String

  /// Creates an amount that browsers accept as a total.
  ///
  /// - Parameters:
  ///   - currency: A currency code of three letters, converted to upper case, as browsers do.
  ///   - value: A decimal number that is not negative, such as 12.50.
  /// - Throws: `payment.invalid-member`.
  package init(currency: String, value: String) throws(FormatError) {
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }) else {
      throw FormatError(.paymentInvalidMember, at: 0, member: "currency")
    }
    let parts = value.utf8.split(separator: 0x2e, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
      throw FormatError(.paymentInvalidMember, at: 0, member: "value")
    }
    self.init(unchecked: currency.uppercased(), value)
  }

  /// Creates an amount exactly as the client reported it.
  init(unchecked currency: String, _ value: String) {
    self.currency = currency
    self.value = value
  }
}

extension PaymentCurrencyAmount: Hashable {
  /// Whether both members have the same bytes: 1.0 and 1.00 differ.
  package static func == (left: Self, right: Self) -> Bool {
    left.currency.utf8.elementsEqual(right.currency.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    for byte in currency.utf8 { hasher.combine(byte) }
    for byte in value.utf8 { hasher.combine(byte) }
  }
}

extension PaymentCurrencyAmount: CustomStringConvertible {
  /// The currency code and the value.
  package var description: String { "\(currency) \(value)" }
}

extension PaymentCurrencyAmount {
  init(_ members: JSONMemberReader) throws(FormatError) {
    self.init(unchecked: try members.text("currency"), try members.text("value"))
  }
}

/// Byte-by-byte comparison of signed text. Swift's own `==` also accepts canonical equivalents.
package enum PaymentText {
  package static func isSame(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    case (nil, nil): true
    default: false
    }
  }
}
