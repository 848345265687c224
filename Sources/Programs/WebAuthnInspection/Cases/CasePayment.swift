// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnTypes

/// A payment that the assertion of a case confirms (Secure Payment Confirmation).
package struct CasePayment: Hashable, Sendable {
  package var currency = "EUR"
  package var value = "12.50"
  package var payeeOrigin = "https://shop.example"
  package var instrumentName = "Passkey Vectors Card"
  package var instrumentIcon = "https://bank.example/card.png"

  /// The origin of the page that requests the payment, which is the top-level page.
  package var caller: String

  package init(caller: String) {
    self.caller = caller
  }

  init(_ value: JSONValue) throws(WireError) {
    let (total, instrument) = (try value.require("total"), try value.require("instrument"))
    currency = try total.require("currency").string
    self.value = try total.require("value").string
    payeeOrigin = try value.require("payeeOrigin").string
    instrumentName = try instrument.require("displayName").string
    instrumentIcon = try instrument.require("icon").string
    caller = try value.require("caller").string
  }

  package var json: JSONDraft {
    .object(["total": total, "payeeOrigin": .string(payeeOrigin), "instrument": instrument, "caller": .string(caller)])
  }

  /// Returns the member `payment` of the client data.
  package func clientDataMember(relyingPartyID: String) -> JSONDraft {
    .object([
      "rpId": .string(relyingPartyID), "topOrigin": .string(caller), "payeeOrigin": .string(payeeOrigin),
      "total": total, "instrument": instrument,
    ])
  }

  private var total: JSONDraft { .object(["currency": .string(currency), "value": .string(value)]) }

  private var instrument: JSONDraft {
    .object(["displayName": .string(instrumentName), "icon": .string(instrumentIcon)])
  }

  func transaction() throws(FormatError) -> PaymentTransaction {
    PaymentTransaction(
      total: try PaymentCurrencyAmount(currency: currency, value: value), payee: .origin(try WebOrigin(payeeOrigin)),
      instrument: PaymentCredentialInstrument(displayName: instrumentName, icon: instrumentIcon),
      caller: try WebOrigin(caller))
  }
}
