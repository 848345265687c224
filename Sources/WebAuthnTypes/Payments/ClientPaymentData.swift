// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a client says was shown of a payment: the member `payment` of its client data (Secure Payment Confirmation,
/// `CollectedClientAdditionalPaymentData`). The credential's key signs it with them.
public struct ClientPaymentData: Hashable, Sendable {
  /// The RP ID of the credential.
  public let relyingPartyID: String

  /// The origin of the topmost page.
  public let topOrigin: String

  /// The payee's name, where one was shown.
  public let payeeName: String?

  /// The payee's web site, where one was shown.
  public let payeeOrigin: String?

  /// The logos that were shown; one without a URL was not.
  public let logos: [PaymentEntityLogo]

  /// How much.
  public let total: PaymentCurrencyAmount

  /// With what; without a URL the picture was not shown.
  public let instrument: PaymentCredentialInstrument

  /// The public key of the browser's own key, where it has one: a COSE key.
  public let browserBoundPublicKey: Bytes?

  /// Reads the member out of client data.
  public init(parsing clientDataJSON: Bytes) throws(FormatError) {
    let payment = try Self.member(of: clientDataJSON)
    guard let payment else {
      throw FormatError(.clientDataMissingMember, at: clientDataJSON.startIndex, member: "payment")
    }
    relyingPartyID = try payment.text("rpId")
    // Some clients name the RP ID twice, for historical reasons: then both times alike.
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

  /// The public key of the browser's own key in a registration's client data, where there is one.
  package static func browserBoundPublicKey(in clientDataJSON: Bytes) throws(FormatError) -> Bytes? {
    try member(of: clientDataJSON)?.bytesIfPresent("browserBoundPublicKey")
  }

  private static func member(of clientDataJSON: Bytes) throws(FormatError) -> JSONMemberReader? {
    try JSONMemberReader(parsing: JSON.withoutByteOrderMark(clientDataJSON), as: .clientData).objectIfPresent("payment")
  }
}
