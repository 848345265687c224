// SPDX-License-Identifier: Apache-2.0

// The schemas of WebAuthn messages (WebAuthn §5.1.8, §5.1.9, §5.5): options with the members that this server sends, and
// responses with the members of a browser's `toJSON()`.

extension SchemaCatalog {
  private static let type = JSONSchema.enumeration(["public-key"])
  private static let requirement = JSONSchema.enumeration(["discouraged", "preferred", "required"])

  static let creationOptions = JSONSchema.object([
    .required("rp", .object([.required("id", .string), .required("name", .string)])),
    .required(
      "user",
      .object([.required("id", .base64URL), .required("name", .string), .required("displayName", .string)])),
    .required("challenge", .base64URL),
    .required("pubKeyCredParams", .array(.object([.required("type", type), .required("alg", .integer)]))),
    .required("timeout", .integer),
    .optional("excludeCredentials", .array(.reference(.credentialDescriptor))),
    .required(
      "authenticatorSelection",
      .object([
        .required("residentKey", requirement), .required("requireResidentKey", .boolean),
        .required("userVerification", requirement),
      ])),
    .required("attestation", .string),
  ])

  static let requestOptions = JSONSchema.object([
    .required("challenge", .base64URL), .required("timeout", .integer), .required("rpId", .string),
    .optional("allowCredentials", .array(.reference(.credentialDescriptor))),
    .required("userVerification", requirement),
  ])

  static let credentialDescriptor = JSONSchema.object([
    .required("type", type), .required("id", .base64URL), .optional("transports", .array(.string)),
  ])

  static let registrationResponse = response([
    .required("clientDataJSON", .base64URL), .required("attestationObject", .base64URL),
    .optional("transports", .array(.string)), .optional("authenticatorData", .base64URL),
    .optional("publicKey", .base64URL), .optional("publicKeyAlgorithm", .integer),
  ])

  static let authenticationResponse = response([
    .required("clientDataJSON", .base64URL), .required("authenticatorData", .base64URL),
    .required("signature", .base64URL),
    .optional("userHandle", .base64URL),
  ])

  private static func response(_ members: [JSONSchema.Member]) -> JSONSchema {
    .object([
      .required("id", .base64URL), .required("rawId", .base64URL), .required("type", type),
      .required("response", .object(members)), .optional("authenticatorAttachment", .string),
      .optional("clientExtensionResults", .dictionary(.any)),
    ])
  }

  static let currentUserDetails = JSONSchema.object([
    .required("rpId", .string), .required("userId", .base64URL), .required("name", .string),
    .required("displayName", .string),
  ])

  static let acceptedCredentials = JSONSchema.object([
    .required("rpId", .string), .required("userId", .base64URL),
    .required("allAcceptedCredentialIds", .array(.base64URL)),
  ])
}
