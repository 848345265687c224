// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

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
    let bytes = try JSON.writeObject(.pretty) { (object) throws(CryptoError) in
      object.write("schema", .string(CaseFile.schema))
      object.write("source", .string("passkey vectors generate ours"))
      object.write("license", "Apache-2.0")
      try object.writeArray("cases") { (cases) throws(CryptoError) in
        for scenario in scenarios { try scenario.makeCase().write(into: &cases) }
      }
    }
    return bytes + [UInt8(ascii: "\n")]
  }
}
