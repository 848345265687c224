// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import WebAuthnAttestation
import WebAuthnRelyingParty

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// A certificate path with one fault: in the anchors, the time or the certificates of the statement.
struct TrustFault {
  let name: String
  var anchors: [X509Certificate]
  var time: UnixTime
  var attempt: RegistrationAttempt

  /// Returns faults of the case's path that do not change the statement's signature.
  static func all(of positive: PositiveCase, strangers: [X509Certificate]) throws -> [Self] {
    guard let recorded = positive.recorded.trustAnchors, !recorded.isEmpty,
      !positive.policy.attestation.acceptableTrust.contains(.unanchored)
    else { return [] }
    let attempt = try positive.registration()
    guard let leaf = try attempt.certificates.first.map({ try X509Certificate(der: $0[...]) }) else { return [] }
    let anchors = try recorded.map { try X509Certificate(der: $0[...]) }
    func fault(_ name: String, _ change: (inout Self) -> Void) -> Self {
      var fault = Self(name: name, anchors: anchors, time: positive.judge.time, attempt: attempt)
      change(&fault)
      return fault
    }
    // A certificate of the same name may have the same key.
    let ownNames = Set(anchors.map(\.subject) + [leaf.issuer])
    var faults = [
      fault("no anchors") { $0.anchors = [] },
      fault("another root") { $0.anchors = strangers.filter { !ownNames.contains($0.subject) } },
    ]
    // The dates of the leaf do not matter below one of Google's roots.
    let isBelowGoogle = anchors.contains { googleNames.contains($0.subject) }
    if !isBelowGoogle {
      faults.append(fault("before the certificate is valid") { $0.time = leaf.notBefore - .seconds(1) })
    }
    // A policy may accept an expired leaf.
    if !isBelowGoogle, positive.policy.attestation.path.leafDates == .checked {
      faults.append(fault("after the certificate has expired") { $0.time = leaf.notAfter + .seconds(1) })
    }
    let isBelowAnchor = anchors.contains { $0.subject == leaf.issuer || $0 == leaf }
    if attempt.certificates.count > 1, !isBelowAnchor {
      faults.append(fault("without the intermediate authorities") { $0.attempt.certificates.removeSubrange(1...) })
    }
    return faults
  }

  private static let googleNames = Set(PublishedRoot.all.filter { $0.group == .google }.map(\.certificate.subject))

  /// The refusal of §7.1 step 24: the statement is valid, but not anchored.
  static let expected = Verdict.refused(
    .registrationAttestationNotAcceptable, step: 24, cause: AttestationError.Code.unanchoredNotAcceptable.rawValue)

  func verdict(of positive: PositiveCase) throws -> Verdict {
    let judge = try positive.judge(at: time) {
      $0.attestation.trustAnchors = TrustAnchors(forEverything: anchors)
      // The fault is neither in the metadata nor in the revocation lists.
      $0.attestation.revocationLists = []
    }
    return positive.verdict(of: attempt, by: judge)
  }
}
