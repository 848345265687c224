// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// Proof that a user confirmed one payment at one moment, as it was shown to them. Only a finished ceremony makes one.
public struct PaymentProof: Hashable, Sendable {
  /// Who confirmed.
  public let user: UserHandle

  /// With which credential.
  public let credentialID: CredentialID

  /// What was confirmed.
  public let transaction: PaymentTransaction

  /// The logos that were shown, of those that were to be.
  public let shownLogos: [PaymentEntityLogo]

  /// Whether the instrument's picture was shown. It may be missing only where the transaction lets it.
  public let iconWasShown: Bool

  /// The public key of the browser's own key, a COSE key, where the browser has shown that it has the private one. Compare
  /// it to the ones that were seen before, if another browser is a reason to ask again.
  public let browserBoundPublicKey: [UInt8]?

  /// When.
  public let time: Timestamp

  init(
    _ transaction: PaymentTransaction, shown: ClientPaymentData, credential: StoredCredential,
    browserBoundPublicKey: [UInt8]?, time: Timestamp
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

extension PaymentProof: CustomStringConvertible {
  /// Who confirmed what, for a log line.
  public var description: String { "\(transaction), confirmed by \(user) at \(time)" }
}
