// SPDX-License-Identifier: Apache-2.0

/// The types of Web IDL that the options of ceremonies consist of.
indirect enum WebIDLType: Sendable {
  case string
  /// A string that names a member of an enumeration. Unknown names count as absent (WebAuthn §2.1.1).
  case name
  /// A string of base64url, which the browser decodes (WebAuthn §5.1.8 and §5.1.9).
  case base64URL
  case boolean
  case long
  case unsignedLong
  case sequence(of: WebIDLType)
  /// A record with any names.
  case record(of: WebIDLType)
  case dictionary([WebIDLMember])
}

/// A member of a dictionary.
struct WebIDLMember: Sendable {
  let name: String
  let type: WebIDLType
  let isRequired: Bool

  static func required(_ name: String, _ type: WebIDLType) -> Self {
    Self(name: name, type: type, isRequired: true)
  }

  static func optional(_ name: String, _ type: WebIDLType) -> Self {
    Self(name: name, type: type, isRequired: false)
  }
}

extension WebIDLType {
  /// The type in a sentence about what was expected.
  var title: String {
    switch self {
    case .string, .name: "a string"
    case .base64URL: "base64url"
    case .boolean: "true or false"
    case .long, .unsignedLong: "a number"
    case .sequence: "an array"
    case .record, .dictionary: "an object"
    }
  }
}

// MARK: The dictionaries of WebAuthn

extension WebIDLType {
  /// PublicKeyCredentialCreationOptionsJSON (WebAuthn §5.1.8, §5.3, §5.4).
  static let creationOptions = Self.dictionary([
    .required("rp", .dictionary([.required("name", .string), .optional("id", .string)])),
    .required(
      "user",
      .dictionary([.required("id", .base64URL), .required("name", .string), .required("displayName", .string)])),
    .required("challenge", .base64URL),
    .required(
      "pubKeyCredParams", .sequence(of: .dictionary([.required("type", .string), .required("alg", .long)]))),
    .optional("timeout", .unsignedLong),
    .optional("excludeCredentials", .sequence(of: descriptor)),
    .optional("authenticatorSelection", authenticatorSelection),
    .optional("hints", .sequence(of: .name)),
    .optional("attestation", .name),
    .optional("attestationFormats", .sequence(of: .name)),
    .optional("extensions", extensions),
  ])

  /// PublicKeyCredentialRequestOptionsJSON (WebAuthn §5.1.9).
  static let requestOptions = Self.dictionary([
    .required("challenge", .base64URL),
    .optional("timeout", .unsignedLong),
    .optional("rpId", .string),
    .optional("allowCredentials", .sequence(of: descriptor)),
    .optional("userVerification", .name),
    .optional("hints", .sequence(of: .name)),
    .optional("extensions", extensions),
  ])

  /// PublicKeyCredentialDescriptorJSON (WebAuthn §5.1.8).
  private static let descriptor = Self.dictionary([
    .required("type", .string), .required("id", .base64URL), .optional("transports", .sequence(of: .name)),
  ])

  /// AuthenticatorSelectionCriteria (WebAuthn §5.4.4).
  private static let authenticatorSelection = Self.dictionary([
    .optional("authenticatorAttachment", .name), .optional("residentKey", .name),
    .optional("requireResidentKey", .boolean), .optional("userVerification", .name),
  ])

  /// AuthenticationExtensionsClientInputsJSON (WebAuthn §10.1, CTAP 2.3 §12), for both ceremonies.
  private static let extensions = Self.dictionary(
    otherExtensions + ExtensionName.flags.map { .optional($0, .boolean) })

  private static let otherExtensions: [WebIDLMember] = [
    .optional(ExtensionName.appID, .string),
    .optional(ExtensionName.appIDExclude, .string),
    .optional(ExtensionName.credProps, .boolean),
    .optional(
      ExtensionName.prf,
      .dictionary([.optional("eval", prfValues), .optional("evalByCredential", .record(of: prfValues))])
    ),
    .optional(
      ExtensionName.largeBlob,
      .dictionary([.optional("support", .name), .optional("read", .boolean), .optional("write", .base64URL)])),
    .optional(ExtensionName.credentialProtectionPolicy, .string),
    .optional(ExtensionName.enforceCredentialProtectionPolicy, .boolean),
    .optional(ExtensionName.credBlob, .base64URL),
    .optional(ExtensionName.getCredBlob, .boolean),
    .optional(ExtensionName.hmacCreateSecret, .boolean),
    .optional(
      ExtensionName.hmacGetSecret, .dictionary([.required("salt1", .base64URL), .optional("salt2", .base64URL)])),
  ]

  /// AuthenticationExtensionsPRFValuesJSON (WebAuthn §10.1.4).
  private static let prfValues = Self.dictionary([.required("first", .base64URL), .optional("second", .base64URL)])
}
