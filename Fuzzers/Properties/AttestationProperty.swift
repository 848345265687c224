// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WebAuthnAttestation
internal import WebAuthnTypes
internal import WireFormats

/// Statements are judged for one ceremony, for which the seeds were made.
func checkAttestation(_ input: Bytes) throws(Violation) {
  guard let object = try? AttestationObject(parsing: input),
    let encodedKey = object.authenticatorData.attestedCredentialData?.credentialPublicKey,
    let key = try? COSEKey(parsing: encodedKey)
  else { return }
  let outcome = verify(object, key, lenient)
  if let outcome {
    try require(outcome.format == object.format, "an outcome of another format")
    if case .anchored = outcome.trust { throw Violation(description: "anchored, and there are no anchors") }
    let isCompound = object.format == .compound
    try require(isCompound || outcome.members.isEmpty, "members of what is not compound")
    try require((outcome.type == .none) == (outcome.trust.isNone), "none that is something")
  }
  try require(verify(object, key, strict) == nil, "accepted as anchored, and there are no anchors")
}

private let lenient = AttestationVerifier(policy: policy(.anything))
private let strict = AttestationVerifier(policy: policy(.anchored))

private func policy(_ acceptable: AcceptableTrust) -> AttestationPolicy {
  var policy = AttestationPolicy()
  policy.acceptableTrust = acceptable
  policy.compound = .any
  policy.safetyNetTime = .notJudged
  return policy
}

private func verify(
  _ object: AttestationObject, _ key: COSEKey, _ verifier: AttestationVerifier
) -> AttestationOutcome? {
  let hash = [UInt8](repeating: 0x5c, count: 32)
  return try? verifier.verify(
    object, credentialPublicKey: key, clientDataHash: hash[...], at: Timestamp(secondsSince1970: 1_893_456_000))
}

extension AttestationTrust {
  fileprivate var isNone: Bool {
    if case .none = self { true } else { false }
  }
}
