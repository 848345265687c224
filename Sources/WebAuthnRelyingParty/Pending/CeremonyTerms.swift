// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// What a ceremony was begun with and is finished by: nothing that is chosen later can soften it.
struct CeremonyTerms: Hashable, Sendable {
  let relyingPartyID: RelyingPartyID
  let challenge: Challenge
  let origins: [Origin]
  let embedding: CeremonyPolicy.Embedding
  let topOriginNaming: CeremonyPolicy.TopOriginNaming
  let requiresUserVerification: Bool
  let uninitializedUserVerification: CeremonyPolicy.SignalResponse
  let signCount: CeremonyPolicy.SignalResponse
  let backupEligibilityChange: CeremonyPolicy.SignalResponse
  let unrequestedExtensions: CeremonyPolicy.UnrequestedExtensions
  let requestedExtensions: RequestedExtensions
  let expiry: Timestamp

  init(
    _ relyingParty: RelyingParty, challenge: Challenge, requiresUserVerification: Bool, extensions: ClientExtensions,
    payment: PaymentTransaction? = nil, at now: Timestamp
  ) {
    relyingPartyID = relyingParty.id
    self.challenge = challenge
    if let payment {
      // A payment is confirmed where it is made, which may be on a page of the payee's.
      origins = [payment.caller]
      embedding = payment.topOrigin == payment.caller ? .refused : .allowed(topOrigins: [payment.topOrigin])
    } else {
      origins = relyingParty.origins
      embedding = relyingParty.policy.embedding
    }
    topOriginNaming = relyingParty.policy.topOriginNaming
    self.requiresUserVerification = requiresUserVerification
    uninitializedUserVerification = relyingParty.policy.uninitializedUserVerification
    signCount = relyingParty.policy.signCount
    backupEligibilityChange = relyingParty.policy.backupEligibilityChange
    unrequestedExtensions = relyingParty.policy.unrequestedExtensions
    let requested = extensions.isEmpty ? RequestedExtensions.none : RequestedExtensions(extensions)
    requestedExtensions = payment == nil ? requested : requested.union(ExtensionName.payment)
    expiry = now + relyingParty.policy.wholeLifetime
  }
}
