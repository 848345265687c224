// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What a page gives to `PaymentRequest` as the data of the payment method `secure-payment-confirmation`, so that somebody
/// confirms a payment (Secure Payment Confirmation).
///
/// As JSON: the page decodes the base64url of `challenge` and `credentialIds`, for which the browser has no function.
public struct SecurePaymentConfirmationRequest: Hashable, Sendable {
  private let options: RequestOptions
  private let transaction: PaymentTransaction

  /// The algorithms that the browser's own key may have, should it have to make one.
  public var browserBoundKeys: [CredentialParameters] = []

  /// Whether the user is offered to be forgotten.
  public var showsOptOut = false

  /// Puts together what a relying party begins with, and the payment.
  public init(_ options: RequestOptions, _ transaction: PaymentTransaction) {
    self.options = options
    self.transaction = transaction
  }

  /// The request as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension SecurePaymentConfirmationRequest: Encodable {
  /// Writes what ``json`` has, to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension SecurePaymentConfirmationRequest {
  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("challenge", bytes: options.challenge.bytes)
    try writer.writeIfPresent("rpId", text: options.relyingPartyID?.text)
    try writer.write("credentialIds", texts: options.allowCredentials.map { Base64URL.encode($0.id.bytes) })
    try writer.writeObject("instrument") { (inside) throws(Writer.Failure) in
      try transaction.instrument.write(into: &inside)
    }
    try writer.writeIfPresent("timeout", integer: options.timeout.map { Int64($0) })
    try writer.writeIfPresent("payeeName", text: transaction.payee.name)
    try writer.writeIfPresent("payeeOrigin", text: transaction.payee.origin?.text)
    let logos = transaction.logos
    if !logos.isEmpty {
      try writer.writeObjects("paymentEntitiesLogos", count: logos.count) { (index, inside) throws(Writer.Failure) in
        try logos[index].write(into: &inside)
      }
    }
    try writer.writeUnlessEmpty("extensions", extensions: options.extensions)
    let keys = browserBoundKeys
    if !keys.isEmpty {
      try writer.writeObjects("browserBoundPubKeyCredParams", count: keys.count) {
        (index, inside) throws(Writer.Failure) in
        try keys[index].write(into: &inside)
      }
    }
    if showsOptOut { try writer.write("showOptOut", bool: true) }
  }
}
