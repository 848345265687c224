// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The payment details that the client displayed: the member `payment` of its client data (Secure Payment Confirmation,
/// `CollectedClientAdditionalPaymentData`). The credential's signature covers them.
package struct ClientPaymentData: ByteParsable, Hashable, Sendable {
  /// The RP ID of the credential.
  package let relyingPartyID: String

  /// The origin of the top-level page.
  package let topOrigin: String

  /// The payee's name, if displayed.
  package let payeeName: String?

  /// The payee's origin, if displayed.
  package let payeeOrigin: String?

  /// The logos. A logo with an empty URL was not displayed.
  package let logos: [PaymentEntityLogo]

  /// The amount.
  package let total: PaymentCurrencyAmount

  /// The payment instrument. With an empty icon URL, the icon was not displayed.
  package let instrument: PaymentCredentialInstrument

  /// The public key of the browser-bound key, if any, as a COSE_Key.
  package let browserBoundPublicKey: Bytes?

  /// Parses the payment details of client data.
  ///
  /// - Throws: `client-data.malformed`, `client-data.missing-member` or `client-data.invalid-member`.
  package init(parsing clientDataJSON: Bytes) throws(FormatError) {
    try self.init(JSONMemberReader(parsing: JSON.withoutByteOrderMark(clientDataJSON), as: .clientData))
  }

  /// Reads the payment details of parsed client data.
  ///
  /// - Throws: `client-data.missing-member` or `client-data.invalid-member`.
  package init(_ clientData: ClientData) throws(FormatError) {
    guard let json = clientData.json else {
      throw FormatError(.clientDataMissingMember, at: clientData.encoded.startIndex, member: Self.name)
    }
    try self.init(JSONMemberReader(json, as: .clientData))
  }

  private init(_ clientData: JSONMemberReader) throws(FormatError) {
    let payment = try clientData.object(Self.name)
    relyingPartyID = try payment.text("rpId")
    // Some clients send the RP ID under a second, older name. Both must be equal.
    if let other = try payment.textIfPresent("rp"), !PaymentText.isSame(other, relyingPartyID) {
      throw payment.invalid("rp")
    }
    topOrigin = try payment.text("topOrigin")
    payeeName = try payment.textIfPresent("payeeName")
    payeeOrigin = try payment.textIfPresent("payeeOrigin")
    var logos: [PaymentEntityLogo] = []
    for logo in try payment.objectsIfPresent("paymentEntitiesLogos") ?? [] { logos.append(try PaymentEntityLogo(logo)) }
    self.logos = logos
    total = try PaymentCurrencyAmount(try payment.object("total"))
    instrument = try PaymentCredentialInstrument(try payment.object("instrument"))
    browserBoundPublicKey = try payment.bytesIfPresent("browserBoundPublicKey")
  }

  /// Returns the public key of the browser-bound key in a registration's client data, if any.
  package static func browserBoundPublicKey(in clientData: ClientData) throws(FormatError) -> Bytes? {
    guard let json = clientData.json else { return nil }
    return try JSONMemberReader(json, as: .clientData).objectIfPresent(name)?.bytesIfPresent("browserBoundPublicKey")
  }

  /// The name of the member.
  private static let name = "payment"
}
