// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// The members of CTAP2 requests and responses (CTAP 2.3 §6).
enum CTAPFields {
  static func request(_ command: CTAPCommand) -> [CBORField] {
    switch command {
    case .makeCredential: makeCredentialRequest
    case .getAssertion: getAssertionRequest
    case .clientPIN: clientPINRequest
    case .bioEnrollment: bioEnrollmentRequest
    case .credentialManagement: credentialManagementRequest
    case .largeBlobs: largeBlobsRequest
    case .authenticatorConfig: authenticatorConfigRequest
    default: []
    }
  }

  /// Returns the command that a response answers and the members of the response. A response does not name its command, so
  /// this guesses it from the first members.
  static func response(_ item: LenientCBOR) -> (command: String, fields: [CBORField])? {
    switch (item.member(1)?.content, item.member(2)?.content) {
    case (.text?, .bytes?): ("makeCredential", makeCredentialResponse(item))
    case (.map?, .bytes?): ("getAssertion", getAssertionResponse)
    case (.array(let versions)?, _) where versions.first?.isText ?? false: ("getInfo", getInfoResponse)
    default: nil
    }
  }

  // MARK: Requests

  private static let descriptors = CBORShape.array(of: descriptor)
  private static let descriptor = CBORShape.map([
    .required("id", "id", .identifier), .required("type", "type", .text), .optional("transports", "transports", .any),
  ])
  private static let user = CBORShape.map([
    .required("id", "id", .identifier), .optional("name", "name", .text),
    .optional("displayName", "displayName", .text),
  ])

  private static let makeCredentialRequest: [CBORField] = [
    .required(1, "clientDataHash", .bytes),
    .required(2, "rp", .map([.required("id", "id", .text), .optional("name", "name", .text)])),
    .required(3, "user", user),
    .required(
      4, "pubKeyCredParams",
      .array(of: .map([.required("alg", "alg", .algorithm), .required("type", "type", .text)]))),
    .optional(5, "excludeList", descriptors),
    .optional(6, "extensions", .map([])),
    .optional(7, "options", .map([])),
    .optional(8, "pinUvAuthParam", .bytes),
    .optional(9, "pinUvAuthProtocol", .integer),
    .optional(10, "enterpriseAttestation", .integer),
    .optional(11, "attestationFormatsPreference", .array(of: .text)),
  ]

  private static let getAssertionRequest: [CBORField] = [
    .required(1, "rpId", .text),
    .required(2, "clientDataHash", .bytes),
    .optional(3, "allowList", descriptors),
    .optional(4, "extensions", .map([])),
    .optional(5, "options", .map([])),
    .optional(6, "pinUvAuthParam", .bytes),
    .optional(7, "pinUvAuthProtocol", .integer),
  ]

  private static let clientPINRequest: [CBORField] = [
    .optional(1, "pinUvAuthProtocol", .integer),
    .required(2, "subCommand", .integer),
    .optional(3, "keyAgreement", .coseKey),
    .optional(4, "pinUvAuthParam", .bytes),
    .optional(5, "newPinEnc", .bytes),
    .optional(6, "pinHashEnc", .bytes),
    .optional(9, "permissions", .integer),
    .optional(10, "rpId", .text),
  ]

  private static let bioEnrollmentRequest: [CBORField] = [
    .optional(1, "modality", .integer),
    .optional(2, "subCommand", .integer),
    .optional(3, "subCommandParams", .map([])),
    .optional(4, "pinUvAuthProtocol", .integer),
    .optional(5, "pinUvAuthParam", .bytes),
    .optional(6, "getModality", .bool),
  ]

  private static let credentialManagementRequest: [CBORField] = [
    .required(1, "subCommand", .integer),
    .optional(2, "subCommandParams", .map([])),
    .optional(3, "pinUvAuthProtocol", .integer),
    .optional(4, "pinUvAuthParam", .bytes),
  ]

  private static let largeBlobsRequest: [CBORField] = [
    .optional(1, "get", .integer),
    .optional(2, "set", .bytes),
    .required(3, "offset", .integer),
    .optional(4, "length", .integer),
    .optional(5, "pinUvAuthParam", .bytes),
    .optional(6, "pinUvAuthProtocol", .integer),
  ]

  private static let authenticatorConfigRequest: [CBORField] = [
    .required(1, "subCommand", .integer),
    .optional(2, "subCommandParams", .map([])),
    .optional(3, "pinUvAuthProtocol", .integer),
    .optional(4, "pinUvAuthParam", .bytes),
  ]

  // MARK: Responses

  private static func makeCredentialResponse(_ item: LenientCBOR) -> [CBORField] {
    let format: String? =
      if case .text(let utf8)? = item.member(1)?.content { String(decoding: utf8, as: UTF8.self) } else { nil }
    return [
      .required(1, "fmt", .text),
      .required(2, "authData", .authenticatorData),
      .optional(3, "attStmt", Inspector.statement(of: format)),
      .optional(4, "epAtt", .bool),
      .optional(5, "largeBlobKey", .bytes),
      .optional(6, "unsignedExtensionOutputs", .map([])),
    ]
  }

  private static let getAssertionResponse: [CBORField] = [
    .optional(1, "credential", descriptor),
    .required(2, "authData", .authenticatorData),
    .required(3, "signature", .signature),
    .optional(4, "user", user),
    .optional(5, "numberOfCredentials", .integer),
    .optional(6, "userSelected", .bool),
    .optional(7, "largeBlobKey", .bytes),
    .optional(8, "unsignedExtensionOutputs", .map([])),
  ]

  private static let getInfoResponse: [CBORField] = [
    .required(1, "versions", .array(of: .text)),
    .optional(2, "extensions", .array(of: .text)),
    .required(3, "aaguid", .aaguid),
    .optional(4, "options", .map([])),
    .optional(5, "maxMsgSize", .integer),
    .optional(6, "pinUvAuthProtocols", .array(of: .integer)),
    .optional(7, "maxCredentialCountInList", .integer),
    .optional(8, "maxCredentialIdLength", .integer),
    .optional(9, "transports", .array(of: .text)),
    .optional(
      10, "algorithms", .array(of: .map([.required("alg", "alg", .algorithm), .required("type", "type", .text)]))),
    .optional(11, "maxSerializedLargeBlobArray", .integer),
    .optional(12, "forcePINChange", .bool),
    .optional(13, "minPINLength", .integer),
    .optional(14, "firmwareVersion", .integer),
    .optional(15, "maxCredBlobLength", .integer),
    .optional(16, "maxRPIDsForSetMinPINLength", .integer),
    .optional(17, "preferredPlatformUvAttempts", .integer),
    .optional(18, "uvModality", .integer),
    .optional(19, "certifications", .map([])),
    .optional(20, "remainingDiscoverableCredentials", .integer),
    .optional(21, "vendorPrototypeConfigCommands", .array(of: .integer)),
    .optional(22, "attestationFormats", .array(of: .text)),
    .optional(23, "uvCountSinceLastPinEntry", .integer),
    .optional(24, "longTouchForReset", .bool),
    .optional(25, "encIdentifier", .bytes),
    .optional(26, "transportsForReset", .array(of: .text)),
    .optional(27, "pinComplexityPolicy", .bool),
    .optional(28, "pinComplexityPolicyURL", .bytes),
    .optional(29, "maxPINLength", .integer),
    .optional(30, "encCredStoreState", .bytes),
    .optional(31, "authenticatorConfigCommands", .array(of: .integer)),
  ]
}
