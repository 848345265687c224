// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// Takes artifacts apart. An extension for each kind calls the others for the artifacts that its kind contains.
struct Inspector {
  /// Candidate RP IDs. A hash of one of them is shown with its name.
  var relyingPartyIDs = ["raxx.app", "localhost", "example.org", "example.com", "webauthn.io"]

  /// Returns the tree of an artifact of this kind. Malformed input yields a tree with problems.
  func inspect(_ bytes: some ByteSource, as kind: ArtifactKind) -> InspectionNode {
    let bytes = bytes.slice
    return switch kind {
    case .attestationObject: attestationObject(bytes, named: kind.title)
    case .authenticatorData: authenticatorData(bytes, named: kind.title)
    case .coseKey: coseKey(LenientCBORReader.item(bytes), in: bytes, named: kind.title)
    case .ctapMessage: ctapMessage(bytes, named: kind.title)
    case .cbor: cbor(LenientCBORReader.item(bytes, rules: .general), named: kind.title)
    case .certificate: certificate(bytes, named: kind.title)
    case .publicKey: publicKey(bytes, named: kind.title)
    case .ecdsaSignature: ecdsaSignature(bytes, named: kind.title)
    case .der: der(bytes, named: kind.title)
    case .clientData: clientData(bytes, named: kind.title)
    case .registrationResponse: response(bytes, named: kind.title, JSONShape.registrationResponse)
    case .authenticationResponse: response(bytes, named: kind.title, JSONShape.authenticationResponse)
    case .creationOptions: options(bytes, named: kind.title, JSONShape.creationOptions, for: .registration)
    case .requestOptions: options(bytes, named: kind.title, JSONShape.requestOptions, for: .authentication)
    case .json: json(bytes, named: kind.title, .any)
    }
  }
}
