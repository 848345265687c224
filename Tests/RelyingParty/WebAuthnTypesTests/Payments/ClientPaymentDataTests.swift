// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct ClientPaymentDataTests {
  private static let text = """
    {"type":"payment.get","challenge":"AAECAwQFBgcICQoLDA0ODw","origin":"https://shop.example","crossOrigin":false,\
    "payment":{"rpId":"raxx.app","rp":"raxx.app","topOrigin":"https://shop.example","payeeName":"The Shop",\
    "payeeOrigin":"https://shop.example","paymentEntitiesLogos":[{"url":"","label":"Net"}],\
    "total":{"currency":"EUR","value":"12.50"},"instrument":{"displayName":"Card","icon":"https://raxx.app/c.png",\
    "details":"1234"},"browserBoundPublicKey":"pQEC"}}
    """

  @Test func `reads every member`() throws {
    let payment = try ClientPaymentData(parsing: Self.text.bytes)
    #expect(payment.relyingPartyID == "raxx.app")
    #expect(payment.topOrigin == "https://shop.example")
    #expect(payment.payeeName == "The Shop")
    #expect(payment.payeeOrigin == "https://shop.example")
    #expect(payment.logos == [PaymentEntityLogo(url: "", label: "Net")])
    #expect(try payment.total == PaymentCurrencyAmount(currency: "EUR", value: "12.50"))
    #expect(payment.instrument.displayName == "Card")
    #expect(payment.instrument.icon == "https://raxx.app/c.png")
    #expect(payment.instrument.details == "1234")
    #expect(payment.browserBoundPublicKey == [0xa5, 1, 2])
    #expect(try ClientData(parsing: Self.text.bytes).type == .payment)
    #expect(try ClientPaymentData(parsing: ("\u{feff}" + Self.text).bytes) == payment)
  }

  @Test func `optional members are nil if absent`() throws {
    let payment = try ClientPaymentData(
      parsing: """
        {"payment":{"rpId":"raxx.app","topOrigin":"https://raxx.app","total":{"currency":"EUR","value":"1"},\
        "instrument":{"displayName":"Card","icon":""}}}
        """.bytes)
    #expect(payment.payeeName == nil && payment.payeeOrigin == nil && payment.browserBoundPublicKey == nil)
    #expect(payment.logos.isEmpty)
    #expect(payment.instrument.details == nil)
  }

  @Test(
    arguments: [
      (#""payment":{"#, #""other":{"#, .clientDataMissingMember, "payment"),
      (#""rpId":"raxx.app","#, "", .clientDataMissingMember, "payment.rpId"),
      (#""rp":"raxx.app""#, #""rp":"evil.example""#, .clientDataInvalidMember, "payment.rp"),
      (#""topOrigin":"https://shop.example","#, "", .clientDataMissingMember, "payment.topOrigin"),
      (#""value":"12.50""#, #""value":12.5"#, .clientDataInvalidMember, "total.value"),
      (#","value":"12.50""#, "", .clientDataMissingMember, "total.value"),
      (#""icon":"https://raxx.app/c.png","#, "", .clientDataMissingMember, "instrument.icon"),
      (#"[{"url":"","label":"Net"}]"#, "1", .clientDataInvalidMember, "payment.paymentEntitiesLogos"),
      (#""url":"","#, "", .clientDataMissingMember, "paymentEntitiesLogos.url"),
      (#""pQEC""#, #""?""#, .clientDataInvalidMember, "payment.browserBoundPublicKey"),
      (#""payeeName":"The Shop""#, #""payeeName":1"#, .clientDataInvalidMember, "payment.payeeName"),
      (#"{"type""#, #"{"type"?"#, .clientDataMalformed, nil),
    ] as [(String, String, FormatError.Code, String?)])
  func `an invalid member is reported with its code and name`(
    old: String, new: String, code: FormatError.Code, member: String?
  ) {
    let text = Self.text.replacing(old, with: new)
    #expect(text != Self.text)
    #expect {
      try ClientPaymentData(parsing: text.bytes)
    } throws: { error in
      (error as? FormatError)?.code == code && (error as? FormatError)?.member == member
    }
  }

  @Test func `payment client data never trap`() throws {
    var accepted = 0
    try PropertyRuns.check(default: 6_000) { generator in
      let mutated = Mutation.mutated([UInt8](Self.text.utf8), using: &generator)
      if (try? ClientPaymentData(parsing: mutated[...])) != nil { accepted += 1 }
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }
}
