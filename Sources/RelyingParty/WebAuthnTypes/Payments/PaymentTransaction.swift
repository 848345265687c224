// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A payment to confirm, as the browser displays it (Secure Payment Confirmation).
///
/// ```swift
/// let payment = PaymentTransaction(
///   total: try PaymentCurrencyAmount(currency: "EUR", value: "12.50"),
///   payee: .origin(try WebOrigin("https://shop.example")),
///   instrument: PaymentCredentialInstrument(displayName: "Card ending in 1234", icon: "https://raxx.app/card.png"),
///   caller: try WebOrigin("https://shop.example"))
/// ```
public struct PaymentTransaction: Hashable, Sendable {
  /// The amount.
  public let total: PaymentCurrencyAmount

  /// The payee.
  public let payee: PaymentPayee

  /// The payment instrument.
  public let instrument: PaymentCredentialInstrument

  /// The logos of other parties to the payment, most important first. The browser decides how many it displays.
  public let logos: [PaymentEntityLogo]

  /// The origin of the page that calls the browser: the relying party's or the payee's.
  public let caller: WebOrigin

  /// The origin of the top-level page; the same as ``caller`` outside an iframe.
  public let topOrigin: WebOrigin

  /// Creates a payment. Outside an iframe, `topOrigin` is nil.
  public init(
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

extension PaymentTransaction: CustomStringConvertible {
  /// The amount and the payee, for a log line.
  public var description: String { "\(total) to \(payee)" }
}

/// The payee as displayed to the user. Browsers require a name or an origin.
public enum PaymentPayee: Sendable {
  /// A name.
  case name(String)
  /// An origin.
  case origin(WebOrigin)
  /// A name and an origin.
  case nameAndOrigin(String, WebOrigin)

  /// The name, if any.
  public var name: String? {
    switch self {
    case .name(let name), .nameAndOrigin(let name, _): name
    case .origin: nil
    }
  }

  /// The origin, if any.
  public var origin: WebOrigin? {
    switch self {
    case .origin(let origin), .nameAndOrigin(_, let origin): origin
    case .name: nil
    }
  }
}

extension PaymentPayee: Hashable {
  /// Whether the names have the same bytes and the origins are equal.
  public static func == (left: Self, right: Self) -> Bool {
    PaymentText.isSame(left.name, right.name) && left.origin == right.origin
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in (name ?? "").utf8 { hasher.combine(byte) }
    hasher.combine(origin)
  }
}

extension PaymentPayee: CustomStringConvertible {
  /// The name, the origin, or both.
  public var description: String {
    [name, origin?.text].compactMap { $0 }.joined(separator: ", ")
  }
}

/// The logo of a party to the payment (Secure Payment Confirmation, `PaymentEntityLogo`).
public struct PaymentEntityLogo: Sendable {
  /// The URL of the image. The client reports an empty URL if it could not display the image.
  public let url: String

  /// The name of the party.
  public let label: String

  /// Creates a logo.
  public init(url: String, label: String) {
    self.url = url
    self.label = label
  }
}

extension PaymentEntityLogo: Hashable {
  /// Whether both members have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.url.utf8.elementsEqual(right.url.utf8) && left.label.utf8.elementsEqual(right.label.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in url.utf8 { hasher.combine(byte) }
    for byte in label.utf8 { hasher.combine(byte) }
  }
}

extension PaymentEntityLogo: CustomStringConvertible {
  /// The name.
  public var description: String { label }
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
