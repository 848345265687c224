// SPDX-License-Identifier: Apache-2.0

/// A kind of WebAuthn artifact. The raw values are the ones that `passkey inspect` takes and prints.
package enum ArtifactKind: String, CaseIterable, Sendable {
  /// An attestation object (WebAuthn §6.5.4), in CBOR.
  case attestationObject = "attestation-object"
  /// Authenticator data (WebAuthn §6.1).
  case authenticatorData = "authenticator-data"
  /// A COSE_Key (RFC 9052), in CBOR.
  case coseKey = "cose-key"
  /// Client data (WebAuthn §5.8.1), in JSON.
  case clientData = "client-data"
  /// A RegistrationResponseJSON (WebAuthn §5.1).
  case registrationResponse = "registration-response"
  /// An AuthenticationResponseJSON (WebAuthn §5.1).
  case authenticationResponse = "authentication-response"
  /// PublicKeyCredentialCreationOptionsJSON (WebAuthn §5.1.8).
  case creationOptions = "creation-options"
  /// PublicKeyCredentialRequestOptionsJSON (WebAuthn §5.1.9).
  case requestOptions = "request-options"
  /// An X.509 certificate, in DER.
  case certificate
  /// A SubjectPublicKeyInfo (RFC 5280), in DER.
  case publicKey = "public-key"
  /// An ECDSA signature, in DER.
  case ecdsaSignature = "ecdsa-signature"
  /// A CTAP 2 request or response.
  case ctapMessage = "ctap-message"
  /// CBOR of no known structure.
  case cbor
  /// DER of no known structure.
  case der
  /// JSON of no known structure.
  case json

  /// The kind's name as people read it: the first line of a tree.
  package var title: String {
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

  /// Whether the artifact itself is text.
  var isText: Bool {
    switch self {
    case .clientData, .registrationResponse, .authenticationResponse, .creationOptions, .requestOptions, .json: true
    default: false
    }
  }

  /// The number of bytes before the CBOR; nil where the artifact is not CBOR.
  var cborOffset: Int? {
    switch self {
    case .attestationObject, .coseKey, .cbor: 0
    case .ctapMessage: 1
    default: nil
    }
  }
}
