// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// A sign-in that is right but for the faults that it has been given; see ``RegistrationScenario``.
struct AuthenticationScenario: Scenario {
  let id: String
  var label: String
  var algorithm: COSEAlgorithm
  let faults: [Fault]
  var particulars = Particulars()
  private var result = Result()

  /// What the result says besides what the authenticator data say.
  struct Result {
    var suspiciousCounter = false
    var backupEligibilityChanged = false
  }

  init(_ id: String, _ algorithm: COSEAlgorithm, _ faults: Fault...) {
    self.id = id
    label = id
    self.algorithm = algorithm
    self.faults = faults
  }

  init(_ id: String, _ faults: Fault...) {
    self.init(id, faults: faults)
  }

  init(_ id: String, faults: [Fault]) {
    self.id = id
    label = id
    algorithm = .es256
    self.faults = faults
  }
}

// MARK: Saying what is particular

extension AuthenticationScenario {
  /// Says that it succeeds, and that the result tells of something.
  func reporting(_ change: (inout Result) -> Void) -> Self {
    var copy = self
    change(&copy.result)
    return copy
  }
}

// MARK: Making the case

extension AuthenticationScenario {
  func makeCase() throws(CryptoError) -> JSONDraft {
    let values = try ScenarioValues(label, algorithm)
    var terms = CaseTerms(challenge: values.challenge)
    terms.credential = .init(
      id: values.credentialID, publicKey: values.credentialKey.publicKey.encoded, userHandle: values.userHandle,
      backupEligible: false)
    try particulars.terms(&terms)

    let all = particulars.changes + faults
    let clientData = try all.clientData(type: terms.purpose.clientDataType, challenge: terms.challenge)
    let authenticatorData = try all.applied(
      to: AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256([UInt8](ScenarioDefaults.relyingPartyID.utf8)[...]),
        flags: [.userPresent, .userVerified], signCount: 0))
    let sent = try all.applied(to: AuthenticatorDataBytes(bytes: authenticatorData.bytes)).bytes
    let signature = try signature(values, authenticatorData.bytes, clientData, all)
    let response = try all.applied(
      to: ResponseDraft(
        id: values.credentialID,
        response: [
          .init(name: "clientDataJSON", value: .bytes(clientData)),
          .init(name: "authenticatorData", value: .bytes(sent)),
          .init(name: "signature", value: .bytes(signature)),
          .init(name: "userHandle", value: .bytes(values.userHandle)),
        ]))
    return .object(
      [.init(name: "id", value: .string(id)), .init(name: "ceremony", value: "authentication")] + terms.json
        + [
          .init(name: "response", value: try all.applied(to: ResponseJSON(json: response.json)).json),
          .init(name: "expect", value: particulars.refusal?.json ?? expectation(terms, authenticatorData)),
        ])
  }

  private func signature(
    _ values: ScenarioValues, _ authenticatorData: [UInt8], _ clientData: [UInt8], _ faults: [Fault]
  ) throws(CryptoError) -> [UInt8] {
    let signing = try faults.applied(
      to: SigningDraft(key: values.credentialKey, message: authenticatorData + Digest.sha256(clientData[...])))
    let signature = try signing.key.sign(signing.message[...], .deterministic)
    return try faults.applied(to: SignatureBytes(bytes: signature)).bytes
  }

  private func expectation(_ terms: CaseTerms, _ data: AuthenticatorDataDraft) -> JSONDraft {
    // Said only where it is not what the flags say.
    let isFactor: [JSONDraft.Member] =
      terms.credential?.uvInitialized == false ? [.init(name: "userVerificationIsFactor", value: false)] : []
    let members: KeyValuePairs<String, JSONDraft> = [
      "verified": true, "userHandle": .bytes(terms.credential?.userHandle ?? []),
      "signCount": .integer(Int(data.signCount)),
      "userVerified": .bool(data.flags.contains(.userVerified)),
      "backupEligible": .bool(data.flags.contains(.backupEligible)),
      "backedUp": .bool(data.flags.contains(.backedUp)),
      "suspiciousCounter": .bool(result.suspiciousCounter),
      "backupEligibilityChanged": .bool(result.backupEligibilityChanged),
      "steppedUp": .bool(terms.purpose.isStepUp),
    ]
    return .object(members.map { .init(name: $0.key, value: $0.value) } + isFactor)
  }
}
