// SPDX-License-Identifier: Apache-2.0

/// A payment that somebody is to confirm, as the browser shows it (Secure Payment Confirmation).
///
/// ```swift
/// let payment = PaymentTransaction(
///   total: try PaymentCurrencyAmount(currency: "EUR", value: "12.50"),
///   payee: .origin(try Origin("https://shop.example")),
///   instrument: PaymentCredentialInstrument(displayName: "Card ending in 1234", icon: "https://raxx.app/card.png"),
///   caller: try Origin("https://shop.example"))
/// ```
public struct PaymentTransaction: Hashable, Sendable {
  /// How much.
  public let total: PaymentCurrencyAmount

  /// To whom.
  public let payee: PaymentPayee

  /// With what.
  public let instrument: PaymentCredentialInstrument

  /// Who else has a hand in it, the ones to be shown first in front. A browser shows as many as it likes.
  public let logos: [PaymentEntityLogo]

  /// Whose page asks the browser: the relying party's own, or the payee's.
  public let caller: Origin

  /// The page around that page; the same page, where there is none around it.
  public let topOrigin: Origin

  /// Takes what is to be shown and where.
  public init(
    total: PaymentCurrencyAmount, payee: PaymentPayee, instrument: PaymentCredentialInstrument,
    logos: [PaymentEntityLogo] = [], caller: Origin, topOrigin: Origin? = nil
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
  /// How much to whom, for a log line.
  public var description: String { "\(total) to \(payee)" }
}
