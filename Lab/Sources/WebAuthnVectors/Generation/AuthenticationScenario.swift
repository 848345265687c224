// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// An authentication that is valid except for the given faults; see ``RegistrationScenario``.
struct AuthenticationScenario: Scenario {
  let id: String
  var label: String
  var algorithm: COSEAlgorithm
  let faults: [Fault]
  var setup = ScenarioSetup()
  private var result = Result()

  /// The parts of the result that do not follow from the authenticator data.
  struct Result {
    var suspiciousCounter = false
    var backupEligibilityChanged = false
  }

  init(_ id: String, for algorithm: COSEAlgorithm = .es256, _ faults: [Fault] = []) {
    self.id = id
    label = id
    self.algorithm = algorithm
    self.faults = faults
  }
}

// MARK: Expectation

extension AuthenticationScenario {
  /// Expects success with a changed result.
  func reporting(_ change: (inout Result) -> Void) -> Self {
    var copy = self
    change(&copy.result)
    return copy
  }
}

// MARK: Case

extension AuthenticationScenario {
  func makeCase() throws(PasskeyCryptoError) -> JSONDraft {
    let values = try ScenarioValues(label, algorithm)
    var settings = CaseSettings(challenge: values.challenge)
    settings.credential = .init(
      id: values.credentialID, publicKey: values.credentialKey.publicKey.encoded, userHandle: values.userHandle,
      backupEligible: false)
    try setup.settings(&settings)

    let all = setup.changes + faults
    let authenticatorData = try authenticatorData(values, settings, all)
    let response = try response(values, settings, authenticatorData, all)
    return .object(
      [.init(name: "id", value: .string(id)), .init(name: "ceremony", value: "authentication")] + settings.json
        + [
          .init(name: "response", value: response),
          .init(name: "expect", value: setup.refusal?.json ?? expectation(settings, authenticatorData)),
        ])
  }

  /// Makes the response to a server's options, which choose the challenge, the origin and the RP ID.
  func response(to ceremony: LiveCeremony) throws(PasskeyCryptoError) -> [UInt8] {
    let values = ScenarioValues(ceremony)
    let settings = CaseSettings(ceremony)
    let all = setup.changes + faults
    let authenticatorData = try authenticatorData(values, settings, all)
    return ResponseJSON(json: try response(values, settings, authenticatorData, all)).text
  }

  private func authenticatorData(
    _ values: ScenarioValues, _ settings: CaseSettings, _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> AuthenticatorDataDraft {
    try faults.applied(
      to: AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256([UInt8](settings.relyingPartyID.utf8)[...]),
        flags: [.userPresent, .userVerified], signCount: values.signCount))
  }

  private func response(
    _ values: ScenarioValues, _ settings: CaseSettings, _ authenticatorData: AuthenticatorDataDraft, _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> JSONDraft {
    let clientData = try faults.clientData(type: settings.purpose.clientDataType, settings)
    let sent = try faults.applied(to: AuthenticatorDataBytes(bytes: authenticatorData.bytes)).bytes
    let signature = try signature(values, authenticatorData.bytes, clientData, faults)
    let response = try faults.applied(
      to: ResponseDraft(
        id: values.credentialID,
        response: [
          .init(name: "clientDataJSON", value: .bytes(clientData)),
          .init(name: "authenticatorData", value: .bytes(sent)),
          .init(name: "signature", value: .bytes(signature)),
          .init(name: "userHandle", value: .bytes(values.userHandle)),
        ]))
    return try faults.applied(to: ResponseJSON(json: response.json)).json
  }

  private func signature(
    _ values: ScenarioValues, _ authenticatorData: [UInt8], _ clientData: [UInt8], _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let signing = try faults.applied(
      to: SigningDraft(key: values.credentialKey, message: authenticatorData + Digest.sha256(clientData[...])))
    let signature = try signing.key.sign(signing.message[...], .deterministic)
    return try faults.applied(to: SignatureBytes(bytes: signature)).bytes
  }

  private func expectation(_ settings: CaseSettings, _ data: AuthenticatorDataDraft) -> JSONDraft {
    // Written only where it does not follow from the flags.
    let isFactor: [JSONDraft.Member] =
      settings.credential?.uvInitialized == false ? [.init(name: "userVerificationIsFactor", value: false)] : []
    let members: KeyValuePairs<String, JSONDraft> = [
      "verified": true, "userHandle": .bytes(settings.credential?.userHandle ?? []),
      "signCount": .integer(Int(data.signCount)),
      "userVerified": .bool(data.flags.contains(.userVerified)),
      "backupEligible": .bool(data.flags.contains(.backupEligible)),
      "backedUp": .bool(data.flags.contains(.backedUp)),
      "suspiciousCounter": .bool(result.suspiciousCounter),
      "backupEligibilityChanged": .bool(result.backupEligibilityChanged),
      "steppedUp": .bool(settings.purpose.isStepUp),
    ]
    return .object(members.map { .init(name: $0.key, value: $0.value) } + isFactor)
  }
}
