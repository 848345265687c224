// SPDX-License-Identifier: Apache-2.0

// The shapes of WebAuthn messages (WebAuthn §5.1.8, §5.1.9, §5.5): options with the members that this server sends, and
// responses with the members of a browser's `toJSON()`.

extension Vocabulary {
  private static let type = Shape.oneOf(["public-key"])
  private static let requirement = Shape.oneOf(["discouraged", "preferred", "required"])

  static let creationOptions = Shape.object([
    .always("rp", .object([.always("id", .string), .always("name", .string)])),
    .always(
      "user",
      .object([.always("id", .base64URL), .always("name", .text(.email)), .always("displayName", .text(.email))])),
    .always("challenge", .base64URL),
    .always("pubKeyCredParams", .array(.object([.always("type", type), .always("alg", .integer)]))),
    .always("timeout", .integer),
    .sometimes("excludeCredentials", .array(.shared(.credentialDescriptor))),
    .always(
      "authenticatorSelection",
      .object([
        .always("residentKey", requirement), .always("requireResidentKey", .boolean),
        .always("userVerification", requirement),
      ])),
    .always("attestation", .string),
  ])

  static let requestOptions = Shape.object([
    .always("challenge", .base64URL), .always("timeout", .integer), .always("rpId", .string),
    .sometimes("allowCredentials", .array(.shared(.credentialDescriptor))), .always("userVerification", requirement),
  ])

  static let credentialDescriptor = Shape.object([
    .always("type", type), .always("id", .base64URL), .sometimes("transports", .array(.string)),
  ])

  static let registrationResponse = response([
    .always("clientDataJSON", .base64URL), .always("attestationObject", .base64URL),
    .sometimes("transports", .array(.string)), .sometimes("authenticatorData", .base64URL),
    .sometimes("publicKey", .base64URL), .sometimes("publicKeyAlgorithm", .integer),
  ])

  static let authenticationResponse = response([
    .always("clientDataJSON", .base64URL), .always("authenticatorData", .base64URL), .always("signature", .base64URL),
    .sometimes("userHandle", .base64URL),
  ])

  private static func response(_ members: [Shape.Member]) -> Shape {
    .object([
      .always("id", .base64URL), .always("rawId", .base64URL), .always("type", type),
      .always("response", .object(members)), .sometimes("authenticatorAttachment", .string),
      .sometimes("clientExtensionResults", .named(.anything)),
    ])
  }

  static let acceptedCredentials = Shape.object([
    .always("rpId", .string), .always("userId", .base64URL), .always("allAcceptedCredentialIds", .array(.base64URL)),
  ])
}
