// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE
internal import PasskeyFormats

/// The data of the payment method `secure-payment-confirmation`, which a page passes to `PaymentRequest` (Secure
/// Payment Confirmation).
///
/// The page itself must decode the base64url of `challenge` and `credentialIds`: browsers have no function for it.
public struct SecurePaymentConfirmationRequest: Hashable, Sendable {
  private let options: RequestOptions
  private let transaction: PaymentTransaction

  /// The algorithms of the browser-bound key, if the browser has to create one.
  public var browserBoundKeys: [COSEAlgorithm] = []

  /// Whether to offer the user to opt out.
  public var showsOptOut = false

  /// Creates a request from the options of a sign-in and the payment.
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
  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
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
    let keys = browserBoundKeys.map { CredentialParameters(algorithm: $0) }
    if !keys.isEmpty {
      try writer.writeObjects("browserBoundPubKeyCredParams", count: keys.count) {
        (index, inside) throws(Writer.Failure) in
        try keys[index].write(into: &inside)
      }
    }
    if showsOptOut { try writer.write("showOptOut", bool: true) }
  }
}
