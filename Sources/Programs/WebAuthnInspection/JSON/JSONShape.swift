// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The expected shape of a JSON value in the structures that WebAuthn defines (§5.1, §5.4, §5.5, §5.8.1).
indirect enum JSONShape: Sendable {
  case any
  case text
  case number
  case bool
  /// A credential ID, user handle or challenge in base64url.
  case identifier
  /// An artifact in base64url.
  case artifact(ArtifactKind)
  /// A signature in base64url.
  case signature
  case algorithm
  case array(of: JSONShape)
  case object([JSONField])
}

/// A member of a JSON object, with its expected shape.
struct JSONField: Sendable {
  let name: String
  let shape: JSONShape
  let isRequired: Bool
  /// Whether null counts as absent.
  var isNullable = false

  static func required(_ name: String, _ shape: JSONShape) -> Self {
    Self(name: name, shape: shape, isRequired: true)
  }

  static func optional(_ name: String, _ shape: JSONShape) -> Self {
    Self(name: name, shape: shape, isRequired: false)
  }

  /// An optional member of a response. Libraries of pages write null for an absent one.
  static func nullable(_ name: String, _ shape: JSONShape) -> Self {
    Self(name: name, shape: shape, isRequired: false, isNullable: true)
  }
}

extension JSONShape {
  /// CollectedClientData (§5.8.1).
  static let clientData = Self.object([
    .required("type", .text), .required("challenge", .identifier), .required("origin", .text),
    .optional("crossOrigin", .bool), .optional("topOrigin", .text),
  ])

  /// RegistrationResponseJSON (§5.1).
  static let registrationResponse = Self.object(
    credentialFields + [
      .required(
        "response",
        .object([
          .required("clientDataJSON", .artifact(.clientData)),
          .required("attestationObject", .artifact(.attestationObject)),
          .nullable("authenticatorData", .artifact(.authenticatorData)),
          .nullable("transports", .array(of: .text)),
          .nullable("publicKey", .artifact(.publicKey)),
          .nullable("publicKeyAlgorithm", .algorithm),
        ]))
    ])

  /// AuthenticationResponseJSON (§5.1).
  static let authenticationResponse = Self.object(
    credentialFields + [
      .required(
        "response",
        .object([
          .required("clientDataJSON", .artifact(.clientData)),
          .required("authenticatorData", .artifact(.authenticatorData)),
          .required("signature", .signature),
          .nullable("userHandle", .identifier),
        ]))
    ])

  private static let credentialFields: [JSONField] = [
    .required("id", .identifier), .required("rawId", .identifier), .required("type", .text),
    .nullable("authenticatorAttachment", .text), .nullable("clientExtensionResults", .any),
  ]

  /// PublicKeyCredentialCreationOptionsJSON (§5.1.8).
  static let creationOptions = Self.object([
    .required("rp", .object([.required("name", .text), .optional("id", .text)])),
    .required(
      "user", .object([.required("id", .identifier), .required("name", .text), .required("displayName", .text)])),
    .required("challenge", .identifier),
    .required(
      "pubKeyCredParams", .array(of: .object([.required("type", .text), .required("alg", .algorithm)]))),
    .optional("timeout", .number),
    .optional("excludeCredentials", .array(of: descriptor)),
    .optional("authenticatorSelection", .object([])),
    .optional("hints", .array(of: .text)),
    .optional("attestation", .text),
    .optional("attestationFormats", .array(of: .text)),
    .optional("extensions", .any),
  ])

  /// PublicKeyCredentialRequestOptionsJSON (§5.1.9).
  static let requestOptions = Self.object([
    .required("challenge", .identifier),
    .optional("timeout", .number),
    .optional("rpId", .text),
    .optional("allowCredentials", .array(of: descriptor)),
    .optional("userVerification", .text),
    .optional("hints", .array(of: .text)),
    .optional("extensions", .any),
  ])

  private static let descriptor = Self.object([
    .required("type", .text), .required("id", .identifier), .optional("transports", .array(of: .text)),
  ])
}
