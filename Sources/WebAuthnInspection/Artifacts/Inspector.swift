// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Takes artifacts apart. Each kind has a file of its own that extends this; they call one another where one kind is
/// wrapped in another.
struct Inspector {
  /// RP IDs that the artifact may be about: a hash of one of them is shown with its name.
  var relyingPartyIDs = ["raxx.app", "localhost", "example.org", "example.com", "webauthn.io"]

  /// The tree of an artifact of a known kind.
  func inspect(_ bytes: Bytes, as kind: ArtifactKind) -> InspectionNode {
    switch kind {
    case .attestationObject: attestationObject(bytes, named: kind.title)
    case .authenticatorData: authenticatorData(bytes, named: kind.title)
    case .coseKey: coseKey(LooseCBORReader.item(bytes), in: bytes, named: kind.title)
    case .ctapMessage: ctapMessage(bytes, named: kind.title)
    case .cbor: cbor(LooseCBORReader.item(bytes, rules: .general), named: kind.title)
    case .certificate: certificate(bytes, named: kind.title)
    case .publicKey: publicKey(bytes, named: kind.title)
    case .ecdsaSignature: ecdsaSignature(bytes, named: kind.title)
    case .der: der(bytes, named: kind.title)
    case .clientData: clientData(bytes, named: kind.title)
    case .registrationResponse: response(bytes, named: kind.title, JSONShape.registrationResponse)
    case .authenticationResponse: response(bytes, named: kind.title, JSONShape.authenticationResponse)
    case .creationOptions: json(bytes, named: kind.title, JSONShape.creationOptions)
    case .requestOptions: json(bytes, named: kind.title, JSONShape.requestOptions)
    case .json: json(bytes, named: kind.title, .any)
    }
  }
}
