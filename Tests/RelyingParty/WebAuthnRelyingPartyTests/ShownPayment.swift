// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import WebAuthnTypes

/// The payment that a browser claims to have shown. Tests may change every part.
struct ShownPayment {
  var relyingPartyID: String? = "raxx.app"
  var topOrigin: String
  var payeeName: String?
  var payeeOrigin: String?
  var logos: [PaymentEntityLogo]
  var currency: String
  var value: String
  var displayName: String
  var icon: String
  var details: String?
  var browserBoundPublicKey: [UInt8]?

  init(_ transaction: PaymentTransaction) {
    topOrigin = transaction.topOrigin.text
    payeeName = transaction.payee.name
    payeeOrigin = transaction.payee.origin?.text
    logos = transaction.logos
    currency = transaction.total.currency
    value = transaction.total.value
    displayName = transaction.instrument.displayName
    icon = transaction.instrument.icon
    details = transaction.instrument.details
  }

  func write(into object: inout JSONObjectWriter) {
    if let relyingPartyID { object.write("rpId", .string(relyingPartyID)) }
    object.write("topOrigin", .string(topOrigin))
    if let payeeName { object.write("payeeName", .string(payeeName)) }
    if let payeeOrigin { object.write("payeeOrigin", .string(payeeOrigin)) }
    if !logos.isEmpty {
      object.writeArray("paymentEntitiesLogos") { array in
        for logo in logos {
          array.writeObject { inside in
            inside.write("url", .string(logo.url))
            inside.write("label", .string(logo.label))
          }
        }
      }
    }
    object.writeObject("total") { inside in
      inside.write("currency", .string(currency))
      inside.write("value", .string(value))
    }
    object.writeObject("instrument") { inside in
      inside.write("displayName", .string(displayName))
      inside.write("icon", .string(icon))
      if let details { inside.write("details", .string(details)) }
    }
    if let browserBoundPublicKey { object.write("browserBoundPublicKey", .base64URL(browserBoundPublicKey[...])) }
  }

  /// A payment on a shop's page, with every optional member.
  static func transaction(
    value: String = "12.50", instrument: String = "Card", iconMustBeShown: Bool = true, topOrigin: String? = nil
  ) throws -> PaymentTransaction {
    PaymentTransaction(
      total: try PaymentCurrencyAmount(currency: "EUR", value: value),
      payee: .nameAndOrigin("The Shop", try WebOrigin("https://shop.example")),
      instrument: PaymentCredentialInstrument(
        displayName: instrument, icon: "https://raxx.app/card.png", iconMustBeShown: iconMustBeShown, details: "1234"),
      logos: ["a", "b", "c"].map { PaymentEntityLogo(url: "https://\($0).example/logo.png", label: $0) },
      caller: try WebOrigin("https://shop.example"), topOrigin: try topOrigin.map { try WebOrigin($0) })
  }

  /// A payment on the relying party's own page, without optional members.
  static func leastTransaction() throws -> PaymentTransaction {
    PaymentTransaction(
      total: try PaymentCurrencyAmount(currency: "EUR", value: "1"), payee: .name("The Shop"),
      instrument: PaymentCredentialInstrument(displayName: "Card", icon: "data:,"),
      caller: try WebOrigin("https://raxx.app"))
  }
}
