// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// The parameters with which a ceremony was begun and must finish. A later policy change cannot weaken them.
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
      // A payment is confirmed on the page that requests it, which may be the payee's.
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
    expiry = now + relyingParty.policy.lifetimeInWholeSeconds
  }
}
