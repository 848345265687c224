// SPDX-License-Identifier: Apache-2.0

/// What can be inspected. The raw values are what `--as` takes and `--json` prints.
enum ArtifactKind: String, CaseIterable {
  case attestationObject = "attestation-object"
  case authenticatorData = "authenticator-data"
  case coseKey = "cose-key"
  case clientData = "client-data"
  case registrationResponse = "registration-response"
  case authenticationResponse = "authentication-response"
  case creationOptions = "creation-options"
  case requestOptions = "request-options"
  case certificate
  case publicKey = "public-key"
  case ecdsaSignature = "ecdsa-signature"
  case ctapMessage = "ctap-message"
  case cbor
  case der
  case json

  /// The kind in words, the first line of a tree.
  var title: String {
    switch self {
    case .attestationObject: "attestation object"
    case .authenticatorData: "authenticator data"
    case .coseKey: "COSE key"
    case .clientData: "client data"
    case .registrationResponse: "registration response"
    case .authenticationResponse: "authentication response"
    case .creationOptions: "creation options"
    case .requestOptions: "request options"
    case .certificate: "certificate"
    case .publicKey: "public key"
    case .ecdsaSignature: "ECDSA signature"
    case .ctapMessage: "CTAP message"
    case .cbor: "CBOR"
    case .der: "DER"
    case .json: "JSON"
    }
  }
}
