// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnRelyingParty
package import WebAuthnTypes

extension AuthService {
  /// Begins to add a passkey without a dialog (conditional create), in the session whose sign-in made the offer.
  ///
  /// The page passes the options to `navigator.credentials.create()` with `mediation: "conditional"`, and sends the
  /// response as for any added passkey. The browser decides whether to create one; a refusal needs no message.
  ///
  /// - Parameters:
  ///   - session: The signed-in session.
  ///   - offer: The offer from the answer to the sign-in, ``OpenedSession/creationOffer``.
  ///   - context: The time and origin of the request.
  /// - Returns: The options for `navigator.credentials.create`. They exclude the account's passkeys.
  /// - Throws: `passkey.offer-refused` if the offer belongs to another session or the sign-in was too long ago;
  ///   `passkey.too-many`; or a storage code.
  package func beginConditionalRegistration(
    for session: AuthenticatedSession, offer: CreationOffer, in context: CallContext
  ) async throws(ServiceError) -> CreationOptions {
    let begun = session.session
    guard policy.creationOffer != .never, offer.isSame(as: CreationOffer(of: begun.id, key: offerKey)),
      context.time <= begun.created + Self.offerLifetime
    else { throw ServiceError(.creationOfferRefused) }
    return try await beginAddition(to: session, mediation: .conditional, in: context)
  }

  /// Returns the offer for a session that a sign-in has just opened; nil if the policy makes none.
  func creationOffer(
    for session: AccountSession, after verified: VerifiedAuthentication, by attachment: AuthenticatorAttachment?
  ) -> CreationOffer? {
    guard policy.creationOffer == .afterCrossDevice, attachment == .crossPlatform, verified.userVerification == .factor
    else { return nil }
    return CreationOffer(of: session.id, key: offerKey)
  }

  private var offerKey: SecretBytes { decoys.derivedKey(for: "creation offer 1") }

  // 300 s [as long as a ceremony: the page begins right after the sign-in]
  private static var offerLifetime: Duration { .seconds(300) }
}
