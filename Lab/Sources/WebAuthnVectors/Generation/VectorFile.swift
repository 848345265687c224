// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection

/// A file of this project's test vectors, in the format `webauthn-vectors/1`: the scenarios of one topic.
public struct VectorFile: Sendable {
  /// The topic of the scenarios, which is also the file's name without `.json`.
  public let topic: String

  let scenarios: [any Scenario]

  /// The number of cases in the file.
  public var caseCount: Int { scenarios.count }

  /// The scenarios of the file, with the names of their faults.
  public var descriptions: [ScenarioDescription] {
    scenarios.map { ScenarioDescription(id: $0.id, faults: $0.faults.map(\.name)) }
  }

  /// Every file.
  public static var all: [VectorFile] {
    [
      VectorFile(topic: "registration", scenarios: RegistrationScenarios.all),
      VectorFile(topic: "authentication", scenarios: AuthenticationScenarios.all),
      VectorFile(topic: "extensions", scenarios: ExtensionScenarios.all),
      VectorFile(topic: "payments", scenarios: PaymentScenarios.all),
      VectorFile(topic: "responses", scenarios: ResponseScenarios.all),
      VectorFile(topic: "keys", scenarios: KeyScenarios.all),
      VectorFile(topic: "algorithms", scenarios: AlgorithmScenarios.all),
      VectorFile(topic: "algorithms-ml-dsa", scenarios: AlgorithmScenarios.mlDSA),
      VectorFile(topic: "attestation-none", scenarios: NoneScenarios.all),
      VectorFile(topic: "attestation-packed", scenarios: PackedScenarios.all),
      VectorFile(topic: "attestation-tpm", scenarios: TPMScenarios.all),
      VectorFile(topic: "attestation-android-key", scenarios: AndroidKeyScenarios.all),
      VectorFile(topic: "attestation-android-chains", scenarios: AndroidChainScenarios.all),
      VectorFile(topic: "attestation-android-safetynet", scenarios: SafetyNetScenarios.all),
      VectorFile(topic: "attestation-apple", scenarios: AppleScenarios.all),
      VectorFile(topic: "attestation-fido-u2f", scenarios: FIDOU2FScenarios.all),
      VectorFile(topic: "attestation-compound", scenarios: CompoundScenarios.all),
      VectorFile(topic: "attestation-trust", scenarios: TrustScenarios.all),
    ]
  }

  /// Makes the file's text: indented JSON, the same bytes each time.
  ///
  /// - Throws: `PasskeyCryptoError` where libcrypto cannot make a key or a signature.
  public func text() throws(PasskeyCryptoError) -> [UInt8] {
    var cases: [JSONDraft] = []
    for scenario in scenarios { cases.append(try scenario.makeCase()) }
    return CaseFile.text(source: "passkey vectors generate ours", cases)
  }

  /// Makes a file with one case of this file.
  ///
  /// - Parameter id: The id of the scenario.
  /// - Returns: Indented JSON; nil where the file has no such scenario.
  /// - Throws: `PasskeyCryptoError` where libcrypto cannot make a key or a signature.
  public func text(ofScenario id: String) throws(PasskeyCryptoError) -> [UInt8]? {
    guard let scenario = scenarios.first(where: { $0.id == id }) else { return nil }
    return CaseFile.text(source: "passkey vectors generate ours", [try scenario.makeCase()])
  }
}

/// The id of a scenario and the names of its faults.
public struct ScenarioDescription: Sendable {
  /// The id of the case that the scenario makes.
  public let id: String

  /// The faults of the ceremony, one clause each. The array is empty for a valid ceremony, and where the ceremony fails only
  /// because of the relying party's configuration.
  public let faults: [String]
}
