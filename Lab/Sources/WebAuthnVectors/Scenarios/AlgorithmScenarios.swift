// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnRelyingParty

/// Every algorithm: a registration with self attestation, an authentication, and an authentication signed by another key.
enum AlgorithmScenarios {
  static var all: [any Scenario] { scenarios(of: always) }

  /// The algorithms of `algorithms.json`.
  private static let always: [COSEAlgorithm] = [
    .es256, .eddsa, .ed25519, .esp256, .es384, .esp384, .es512, .esp512, .ed448, .es256k,
    .ps256, .ps384, .ps512, .rs256, .rs384, .rs512,
  ]

  /// The algorithms of `algorithms-ml-dsa.json`.
  static var mlDSA: [any Scenario] { scenarios(of: [.mlDSA44, .mlDSA65, .mlDSA87]) }

  private static func scenarios(of algorithms: [COSEAlgorithm]) -> [any Scenario] {
    algorithms.flatMap { (algorithm) -> [any Scenario] in
      let name = "algorithms/\(algorithm)"
      var registration = RegistrationScenario("\(name)/registration", algorithm, .selfSigned)
      var authentication = AuthenticationScenario("\(name)/authentication", for: algorithm)
      var forged = AuthenticationScenario(
        "\(name)/authentication-by-another-key", for: algorithm, [.signedByAnotherKey]
      )
      .refused(.authenticationSignatureInvalid, 21, "crypto.invalid-signature")
      // All three use the same credential.
      registration.label = name
      authentication.label = name
      forged.label = name
      return [registration, authentication, forged]
    }
  }
}
