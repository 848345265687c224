// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct SecurePaymentConfirmationRequestTests {
  @Test func `the request has the browser's form as JSON text and from a coder`() throws {
    let options = RequestOptions(
      challenge: try Challenge([UInt8](0..<16)), timeout: 60_000, relyingPartyID: try RelyingPartyID("raxx.app"),
      allowCredentials: [CredentialDescriptor(id: try CredentialID([1, 2, 3]))], userVerification: .required)
    let transaction = PaymentTransaction(
      total: try PaymentCurrencyAmount(currency: "EUR", value: "12.50"),
      payee: .nameAndOrigin("The Shop", try WebOrigin("https://shop.example")),
      instrument: PaymentCredentialInstrument(
        displayName: "Card", icon: "data:,", iconMustBeShown: false, details: "12"),
      logos: [PaymentEntityLogo(url: "data:,a", label: "Net")], caller: try WebOrigin("https://raxx.app"))
    var request = SecurePaymentConfirmationRequest(options, transaction)
    request.browserBoundKeys = [.es256]
    request.showsOptOut = true
    let text = """
      {"challenge":"AAECAwQFBgcICQoLDA0ODw","rpId":"raxx.app","credentialIds":["AQID"],\
      "instrument":{"displayName":"Card","icon":"data:,","iconMustBeShown":false,"details":"12"},"timeout":60000,\
      "payeeName":"The Shop","payeeOrigin":"https://shop.example",\
      "paymentEntitiesLogos":[{"url":"data:,a","label":"Net"}],\
      "browserBoundPubKeyCredParams":[{"type":"public-key","alg":-7}],"showOptOut":true}
      """
    #expect(String(decoding: request.json, as: UTF8.self) == text)
    #expect(try ClientExtensions(json: encode(request)) == ClientExtensions(json: text.bytes))
  }

  @Test func `canonically equivalent text is not equal`() throws {
    let composed = PaymentPayee.name("Caf\u{e9}")
    let decomposed = PaymentPayee.name("Cafe\u{301}")
    #expect(composed != decomposed)
    #expect(PaymentEntityLogo(url: "", label: "\u{e9}") != PaymentEntityLogo(url: "", label: "e\u{301}"))
    #expect(
      PaymentCredentialInstrument(displayName: "\u{e9}", icon: "")
        != PaymentCredentialInstrument(displayName: "e\u{301}", icon: ""))
    #expect(PaymentPayee.name("a") != .nameAndOrigin("a", try WebOrigin("https://a.example")))
    #expect("\(PaymentPayee.nameAndOrigin("a", try WebOrigin("https://a.example")))" == "a, https://a.example")
  }
}
