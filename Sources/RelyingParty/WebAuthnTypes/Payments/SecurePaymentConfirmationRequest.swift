// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyFormats

/// The data of the payment method `secure-payment-confirmation`, which a page passes to `PaymentRequest` (Secure
/// Payment Confirmation).
///
/// The page itself must decode the base64url of `challenge` and `credentialIds`: browsers have no function for it.
package struct SecurePaymentConfirmationRequest: Hashable, Sendable {
  private let options: RequestOptions
  private let transaction: PaymentTransaction

  /// The algorithms of the browser-bound key, if the browser has to create one.
  package var browserBoundKeys: [COSEAlgorithm] = []

  /// Whether to offer the user to opt out.
  package var showsOptOut = false

  /// Creates a request from the options of a sign-in and the payment.
  package init(_ options: RequestOptions, _ transaction: PaymentTransaction) {
    self.options = options
    self.transaction = transaction
  }

  /// The request as JSON text.
  package var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension SecurePaymentConfirmationRequest: Encodable {
  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
  package func encode(to encoder: any Encoder) throws {
    try ExtensionValue(JSON.parse(json, maximumSize: .max)).encode(to: encoder)
  }
}

extension SecurePaymentConfirmationRequest {
  private func write(into writer: inout JSONObjectWriter) {
    writer.write("challenge", .base64URL(options.challenge.bytes))
    writer.writeIfPresent("rpId", text: options.relyingPartyID?.text)
    writer.write("credentialIds", texts: options.allowCredentials.map { Base64URL.encode($0.id.bytes) })
    writer.writeObject("instrument") { inside in transaction.instrument.write(into: &inside) }
    writer.writeIfPresent("timeout", integer: options.timeout.map { Int64($0) })
    writer.writeIfPresent("payeeName", text: transaction.payee.name)
    writer.writeIfPresent("payeeOrigin", text: transaction.payee.origin?.text)
    if !transaction.logos.isEmpty {
      writer.writeObjects("paymentEntitiesLogos", transaction.logos) { logo, inside in logo.write(into: &inside) }
    }
    writer.writeUnlessEmpty("extensions", extensions: options.extensions)
    let keys = browserBoundKeys.map { CredentialParameters(algorithm: $0) }
    if !keys.isEmpty {
      writer.writeObjects("browserBoundPubKeyCredParams", keys) { key, inside in key.write(into: &inside) }
    }
    if showsOptOut { writer.write("showOptOut", .bool(true)) }
  }
}
