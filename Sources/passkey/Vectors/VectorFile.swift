// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// A file of the project's own vectors: the scenarios of one topic.
struct VectorFile {
  /// The file's name, without `.json`.
  let topic: String

  let scenarios: [any Scenario]

  /// Every file that this build can make.
  static var all: [VectorFile] {
    [
      VectorFile(topic: "registration", scenarios: RegistrationScenarios.all),
      VectorFile(topic: "authentication", scenarios: AuthenticationScenarios.all),
      VectorFile(topic: "extensions", scenarios: ExtensionScenarios.all),
      VectorFile(topic: "payments", scenarios: PaymentScenarios.all),
      VectorFile(topic: "responses", scenarios: ResponseScenarios.all),
      VectorFile(topic: "keys", scenarios: KeyScenarios.all),
      VectorFile(topic: "algorithms", scenarios: AlgorithmScenarios.all),
      VectorFile(topic: "attestation-none", scenarios: NoneScenarios.all),
      VectorFile(topic: "attestation-packed", scenarios: PackedScenarios.all),
      VectorFile(topic: "attestation-tpm", scenarios: TPMScenarios.all),
      VectorFile(topic: "attestation-android-key", scenarios: AndroidKeyScenarios.all),
      VectorFile(topic: "attestation-android-safetynet", scenarios: SafetyNetScenarios.all),
      VectorFile(topic: "attestation-apple", scenarios: AppleScenarios.all),
      VectorFile(topic: "attestation-fido-u2f", scenarios: FIDOU2FScenarios.all),
      VectorFile(topic: "attestation-compound", scenarios: CompoundScenarios.all),
      VectorFile(topic: "attestation-trust", scenarios: TrustScenarios.all),
    ]
      + (AlgorithmScenarios.mlDSA.isEmpty
        ? [] : [VectorFile(topic: "algorithms-ml-dsa", scenarios: AlgorithmScenarios.mlDSA)])
  }

  /// The file's text: laid out for people, and the same each time.
  func text() throws(CryptoError) -> [UInt8] {
    var cases: [JSONDraft] = []
    for scenario in scenarios { cases.append(try scenario.makeCase()) }
    return CaseFile.text(source: "passkey vectors generate ours", cases)
  }
}
