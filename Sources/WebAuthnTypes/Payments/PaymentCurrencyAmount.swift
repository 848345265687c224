// SPDX-License-Identifier: Apache-2.0

/// An amount of money (Payment Request API).
public struct PaymentCurrencyAmount: Sendable {
  /// The currency, such as EUR.
  public let currency: String

  /// The value, in decimal digits.
  public let value: String

  /// Takes a currency of three letters and a value such as 12.50, which is not negative: what a browser takes for a total.
  /// The letters become capital ones, as the browser makes them.
  public init(currency: String, value: String) throws(FormatError) {
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }) else {
      throw FormatError(.paymentInvalidMember, at: 0, member: "currency")
    }
    let parts = value.utf8.split(separator: 0x2e, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
      throw FormatError(.paymentInvalidMember, at: 0, member: "value")
    }
    self.init(unchecked: currency.uppercased(), value)
  }

  /// Takes what a client says, as it says it.
  init(unchecked currency: String, _ value: String) {
    self.currency = currency
    self.value = value
  }
}

extension PaymentCurrencyAmount: Hashable {
  /// Whether both are written with the same bytes: 1.0 is not 1.00.
  public static func == (left: Self, right: Self) -> Bool {
    left.currency.utf8.elementsEqual(right.currency.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in currency.utf8 { hasher.combine(byte) }
    for byte in value.utf8 { hasher.combine(byte) }
  }
}

extension PaymentCurrencyAmount: CustomStringConvertible {
  /// The amount, as people write it.
  public var description: String { "\(currency) \(value)" }
}

extension PaymentCurrencyAmount {
  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    self.init(unchecked: try members.text("currency"), try members.text("value"))
  }
}
