// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE
internal import PasskeyFormats

/// A payment to confirm, as the browser displays it (Secure Payment Confirmation).
///
/// ```swift
/// let shop = try WebOrigin("https://shop.example")
/// let payment = try PaymentTransaction(
///   of: "12.50", in: "EUR", toPayeeAt: shop, with: "Card ending in 1234", icon: "https://raxx.app/card.png", caller: shop)
/// ```
public struct PaymentTransaction: Hashable, Sendable {
  /// The amount.
  package let total: PaymentCurrencyAmount

  /// The payee.
  package let payee: PaymentPayee

  /// The payment instrument.
  package let instrument: PaymentCredentialInstrument

  /// The logos of other parties to the payment, most important first. The browser decides how many it displays.
  package let logos: [PaymentEntityLogo]

  /// The origin of the page that calls the browser: the relying party's or the payee's.
  package let caller: WebOrigin

  /// The origin of the top-level page; the same as ``caller`` outside an iframe.
  package let topOrigin: WebOrigin

  /// Creates a payment that browsers accept, to a payee with an origin, and a name if it has one.
  ///
  /// - Parameters:
  ///   - value: A decimal number that is not negative, such as 12.50.
  ///   - currency: A currency code of three letters.
  ///   - payee: The origin of the payee.
  ///   - payeeName: The name of the payee, to display beside its origin.
  ///   - instrument: The displayed name of the payment instrument.
  ///   - icon: The URL of the instrument's icon. Only a data URL proves which icon was displayed.
  ///   - details: Further details of the instrument to display.
  ///   - caller: The origin of the page that calls the browser: the relying party's or the payee's.
  ///   - topOrigin: The origin of the top-level page; nil outside an iframe.
  /// - Throws: `payment.invalid-member` for the value or the currency.
  public init(
    of value: String, in currency: String, toPayeeAt payee: WebOrigin, named payeeName: String? = nil,
    with instrument: String, icon: String, details: String? = nil, caller: WebOrigin, topOrigin: WebOrigin? = nil
  ) throws(FormatError) {
    self.init(
      total: try PaymentCurrencyAmount(currency: currency, value: value),
      payee: payeeName.map { (name) in .nameAndOrigin(name, payee) } ?? .origin(payee),
      instrument: PaymentCredentialInstrument(displayName: instrument, icon: icon, details: details), caller: caller,
      topOrigin: topOrigin)
  }

  /// Creates a payment. Outside an iframe, `topOrigin` is nil.
  package init(
    total: PaymentCurrencyAmount, payee: PaymentPayee, instrument: PaymentCredentialInstrument,
    logos: [PaymentEntityLogo] = [], caller: WebOrigin, topOrigin: WebOrigin? = nil
  ) {
    self.total = total
    self.payee = payee
    self.instrument = instrument
    self.logos = logos
    self.caller = caller
    self.topOrigin = topOrigin ?? caller
  }
}

extension PaymentTransaction {
  /// Returns the data of the payment method `secure-payment-confirmation` as JSON text, which a page passes to
  /// `PaymentRequest`.
  ///
  /// The page itself must decode the base64url of `challenge` and `credentialIds`: browsers have no function for it.
  ///
  /// - Parameters:
  ///   - options: The options of the sign-in.
  ///   - browserBoundKeys: The algorithms of the browser-bound key, if the browser has to create one.
  ///   - showsOptOut: Whether to offer the user to opt out.
  /// - Returns: JSON in UTF-8.
  public func requestJSON(
    for options: RequestOptions, browserBoundKeys: [COSEAlgorithm] = [], showsOptOut: Bool = false
  ) -> [UInt8] {
    var request = SecurePaymentConfirmationRequest(options, self)
    request.browserBoundKeys = browserBoundKeys
    request.showsOptOut = showsOptOut
    return request.json
  }
}

extension PaymentTransaction: CustomStringConvertible {
  /// The amount and the payee, for a log line.
  public var description: String { "\(total) to \(payee)" }
}

/// The payee as displayed to the user. Browsers require a name or an origin.
package enum PaymentPayee: Sendable {
  /// A name.
  case name(String)
  /// An origin.
  case origin(WebOrigin)
  /// A name and an origin.
  case nameAndOrigin(String, WebOrigin)

  /// The name, if any.
  package var name: String? {
    switch self {
    case .name(let name), .nameAndOrigin(let name, _): name
    case .origin: nil
    }
  }

  /// The origin, if any.
  package var origin: WebOrigin? {
    switch self {
    case .origin(let origin), .nameAndOrigin(_, let origin): origin
    case .name: nil
    }
  }
}

extension PaymentPayee: Hashable {
  /// Whether the names have the same bytes and the origins are equal.
  package static func == (left: Self, right: Self) -> Bool {
    PaymentText.isSame(left.name, right.name) && left.origin == right.origin
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    for byte in (name ?? "").utf8 { hasher.combine(byte) }
    hasher.combine(origin)
  }
}

extension PaymentPayee: CustomStringConvertible {
  /// The name, the origin, or both.
  package var description: String {
    [name, origin?.text].compactMap { $0 }.joined(separator: ", ")
  }
}

/// The logo of a party to the payment (Secure Payment Confirmation, `PaymentEntityLogo`).
package struct PaymentEntityLogo: Sendable {
  /// The URL of the image. The client reports an empty URL if it could not display the image.
  package let url: String

  /// The name of the party.
  package let label: String

  /// Creates a logo.
  package init(url: String, label: String) {
    self.url = url
    self.label = label
  }
}

extension PaymentEntityLogo: Hashable {
  /// Whether both members have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.url.utf8.elementsEqual(right.url.utf8) && left.label.utf8.elementsEqual(right.label.utf8)
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    for byte in url.utf8 { hasher.combine(byte) }
    for byte in label.utf8 { hasher.combine(byte) }
  }
}

extension PaymentEntityLogo: CustomStringConvertible {
  /// The name.
  package var description: String { label }
}

extension PaymentEntityLogo {
  init(_ members: JSONMemberReader) throws(FormatError) {
    self.init(url: try members.text("url"), label: try members.text("label"))
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.write("url", url)
    writer.write("label", label)
  }
}
