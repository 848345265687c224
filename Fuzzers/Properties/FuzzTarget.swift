// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What can be fuzzed. Each has a folder of seeds in Vectors/corpus.
enum FuzzTarget: String, CaseIterable {
  case cbor
  case cose
  case der
  case json
  case base64url
  case certificate
  case authenticatorData = "authenticator-data"
  case attestationObject = "attestation-object"
  case attestation
  case clientData = "client-data"
  case registrationResponse = "registration-response"
  case authenticationResponse = "authentication-response"

  /// What must hold for every input whatever; it traps where it does not.
  var property: (Bytes) -> Void {
    switch self {
    case .cbor: checkCBOR
    case .cose: checkCOSE
    case .der: checkDER
    case .json: checkJSON
    case .base64url: checkBase64URL
    case .certificate: checkCertificate
    case .authenticatorData: checkAuthenticatorData
    case .attestationObject: checkAttestationObject
    case .attestation: checkAttestation
    case .clientData: checkClientData
    case .registrationResponse: checkRegistrationResponse
    case .authenticationResponse: checkAuthenticationResponse
    }
  }
}

/// Stops the fuzzer, also in an optimised build, with the words that say what does not hold.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) {
  guard holds else { fatalError(otherwise()) }
}

/// An offset is an index into the input, or its end.
func requireInside(_ offset: Int, _ input: Bytes) {
  require((input.startIndex...input.endIndex).contains(offset), "offset \(offset) outside \(input.indices)")
}
