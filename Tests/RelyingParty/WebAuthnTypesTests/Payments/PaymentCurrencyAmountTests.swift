// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@Suite struct PaymentCurrencyAmountTests {
  @Test func `an amount has an uppercase currency code and a decimal value`() throws {
    let amount = try PaymentCurrencyAmount(currency: "eur", value: "12.50")
    #expect(amount.currency == "EUR")
    #expect(amount.value == "12.50")
    #expect("\(amount)" == "EUR 12.50")
    #expect(try PaymentCurrencyAmount(currency: "EUR", value: "12.50") == amount)
    #expect(try PaymentCurrencyAmount(currency: "EUR", value: "12.5") != amount)
    #expect(try PaymentCurrencyAmount(currency: "USD", value: "12.50") != amount)
    #expect(try PaymentCurrencyAmount(currency: "JPY", value: "1000").value == "1000")
  }

  @Test(arguments: [
    ("EURO", "1", "currency"), ("E1R", "1", "currency"), ("", "1", "currency"), ("ÄB", "1", "currency"),
    ("EUR", "", "value"), ("EUR", "-1", "value"), ("EUR", "1.", "value"), ("EUR", ".5", "value"),
    ("EUR", "1.2.3", "value"), ("EUR", "1,5", "value"), ("EUR", "١", "value"), ("EUR", " 1", "value"),
  ]) func `an amount that browsers reject is rejected`(currency: String, value: String, member: String) {
    #expect {
      try PaymentCurrencyAmount(currency: currency, value: value)
    } throws: { error in
      (error as? FormatError)?.code == .paymentInvalidMember && (error as? FormatError)?.member == member
    }
  }
}
