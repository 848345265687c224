// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// Verifies statements for one fixed ceremony, for which the seeds were generated.
func checkAttestation(_ input: Bytes) throws(Violation) {
  guard let object = try? AttestationObject(parsing: input),
    let encodedKey = object.authenticatorData.attestedCredentialData?.credentialPublicKey,
    let key = try? COSEKey(parsing: encodedKey)
  else { return }
  let outcome = verify(object, key, lenient)
  if let outcome {
    try require(outcome.format == object.format, "the outcome has another format")
    if case .anchored = outcome.trust { throw Violation(description: "anchored without any anchors") }
    let isCompound = object.format == .compound
    try require(isCompound || outcome.members.isEmpty, "a format other than compound has members")
    try require((outcome.type == .none) == (outcome.trust.isNone), "type and trust disagree about none")
  }
  try require(verify(object, key, strict) == nil, "accepted as anchored without any anchors")
}

private let lenient = AttestationVerifier(policy: policy(.anything))
private let strict = AttestationVerifier(policy: policy(.anchored))

private func policy(_ acceptable: AttestationPolicy.AcceptableTrust) -> AttestationPolicy {
  var policy = AttestationPolicy()
  policy.acceptableTrust = acceptable
  policy.compound = .any
  policy.safetyNetTime = .ignored
  return policy
}

private func verify(
  _ object: AttestationObject, _ key: COSEKey, _ verifier: AttestationVerifier
) -> AttestationOutcome? {
  let hash = [UInt8](repeating: 0x5c, count: 32)
  return try? verifier.verify(
    object, credentialPublicKey: key, clientDataHash: hash[...], at: UnixTime(secondsSince1970: 1_893_456_000))
}

extension AttestationOutcome.Trust {
  fileprivate var isNone: Bool {
    if case .none = self { true } else { false }
  }
}
