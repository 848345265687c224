// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// The parameters with which a ceremony was begun and must finish. A later policy change cannot weaken them.
///
/// A class, because each part of a ceremony refers to them.
final class CeremonyTerms: Sendable {
  let relyingPartyID: RelyingPartyID
  let challenge: Challenge
  let origins: [WebOrigin]
  let embedding: CeremonyPolicy.Embedding
  let refusals: CeremonyPolicy.Refusals
  let requiresUserVerification: Bool
  let requestedExtensions: RequestedExtensions
  let expiry: UnixTime

  /// ``RelyingParty/termsDigest``, with which a sealed ceremony is bound to the terms; empty for one from a store.
  let digest: [UInt8]

  convenience init(
    _ relyingParty: RelyingParty, challenge: Challenge, requiresUserVerification: Bool, extensions: ClientExtensions,
    payment: PaymentTransaction? = nil, lifetime: Duration, at now: UnixTime
  ) {
    let requested = extensions.isEmpty ? RequestedExtensions.none : RequestedExtensions(extensions)
    self.init(
      relyingParty, challenge: challenge, requiresUserVerification: requiresUserVerification,
      requestedExtensions: payment == nil ? requested : requested.union(ExtensionName.payment), payment: payment,
      expiry: now + CeremonyPolicy.wholeSeconds(of: lifetime))
  }

  init(
    _ relyingParty: RelyingParty, challenge: Challenge, requiresUserVerification: Bool,
    requestedExtensions: RequestedExtensions, payment: PaymentTransaction?, expiry: UnixTime
  ) {
    relyingPartyID = relyingParty.id
    digest = relyingParty.termsDigest
    self.challenge = challenge
    if let payment {
      // A payment is confirmed on the page that requests it, which may be the payee's.
      origins = [payment.caller]
      embedding = payment.topOrigin == payment.caller ? .refused : .allowed(topOrigins: [payment.topOrigin])
    } else {
      origins = relyingParty.origins
      embedding = relyingParty.policy.embedding
    }
    refusals = relyingParty.policy.refusals
    self.requiresUserVerification = requiresUserVerification
    self.requestedExtensions = requestedExtensions
    self.expiry = expiry
  }

  /// Parses the output of ``write(to:)``.
  init(_ value: CBORValue) throws {
    let members = try PendingCodec.Members(value.map)
    relyingPartyID = try RelyingPartyID(members.text(.relyingPartyID))
    challenge = try Challenge(members.bytes(.challenge))
    origins = try members.value(.origins).array.map { try WebOrigin(utf8: $0.utf8) }
    embedding =
      if let topOrigins = members.lookUp(.topOrigins) {
        .allowed(topOrigins: try topOrigins.array.map { try WebOrigin(utf8: $0.utf8) })
      } else {
        .refused
      }
    refusals = try CeremonyPolicy.Refusals(rawValue: members.unsigned(.refusals))
    // Ignoring an unknown refusal could weaken the ceremony.
    guard refusals.isSubset(of: .all) else { throw CeremonyError(.pendingMalformed) }
    requiresUserVerification = try members.bool(.requiresUserVerification)
    requestedExtensions = try RequestedExtensions(members)
    expiry = UnixTime(secondsSince1970: try members.integer(.expiry))
    digest = []
  }
}
