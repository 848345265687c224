// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

extension VerifiedAuthentication {
  /// Proof that a user confirmed one payment, as displayed, at one time. Only a finished ceremony creates one.
  public struct PaymentProof: Hashable, Sendable {
    /// The user who confirmed the payment.
    public let user: UserHandle

    /// The credential that confirmed the payment.
    public let credentialID: CredentialID

    /// The confirmed transaction.
    public let transaction: PaymentTransaction

    /// The requested logos that the browser displayed.
    package let shownLogos: [PaymentEntityLogo]

    /// Whether the browser displayed the instrument's icon. False only if the transaction allows it.
    public let iconWasShown: Bool

    /// The public key of the browser-bound key, as a COSE key, if the browser proved possession of the private key.
    /// Compare it with the user's previous ones if an unknown browser requires further confirmation.
    public let browserBoundPublicKey: [UInt8]?

    /// The time of the confirmation.
    public let time: UnixTime

    init(
      _ transaction: PaymentTransaction, shown: ClientPaymentData, credential: StoredCredential,
      browserBoundPublicKey: [UInt8]?, time: UnixTime
    ) {
      user = credential.user
      credentialID = credential.record.id
      self.transaction = transaction
      shownLogos = shown.logos.filter { !$0.url.isEmpty }
      iconWasShown = !shown.instrument.icon.isEmpty
      self.browserBoundPublicKey = browserBoundPublicKey
      self.time = time
    }
  }
}

extension VerifiedAuthentication.PaymentProof: CustomStringConvertible {
  /// The transaction, the user and the time, for a log line.
  public var description: String { "\(transaction), confirmed by \(user) at \(time)" }
}
