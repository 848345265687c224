// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnInspection
package import WebAuthnTypes

/// A named fault in the responses of a working authenticator, for tests of servers and pages.
///
/// A response is taken apart, made again with the fault, and signed again with the passkey's key, so that the fault is its
/// only error. The attestation of a registration becomes `none`, because a device's attestation cannot be signed again.
package struct LiveFault: Sendable {
  /// The name, such as `challenge-of-another-ceremony`.
  package let name: String

  /// Whether the fault is in registrations. Other faults leave registrations as they are.
  package let isInRegistrations: Bool

  /// Whether the fault is in sign-ins.
  package let isInSignIns: Bool

  private let fault: Fault

  /// The fault in English, a clause without a full stop.
  package var summary: String { fault.name }

  private init(_ name: String, _ fault: Fault, registrations: Bool = true, signIns: Bool = true) {
    self.name = name
    self.fault = fault
    isInRegistrations = registrations
    isInSignIns = signIns
  }

  private static func registration(_ name: String, _ fault: Fault) -> Self { Self(name, fault, signIns: false) }

  private static func signIn(_ name: String, _ fault: Fault) -> Self { Self(name, fault, registrations: false) }

  /// All faults, in the order of the checks of a relying party.
  package static let all: [LiveFault] = [
    Self("client-data-not-json", .clientDataNotJSON),
    signIn("type-of-registration", .typeOfRegistration),
    registration("type-of-authentication", .typeOfAuthentication),
    Self("type-unknown", .typeUnknown),
    Self("challenge-of-another-ceremony", .challengeOfAnotherCeremony),
    Self("challenge-cut", .challengeCut),
    Self("challenge-missing", .challengeMissing),
    Self("origin-of-another-site", .originOfAnotherSite),
    Self("origin-without-encryption", .originWithoutEncryption),
    Self("origin-opaque", .originOpaque),
    Self("origin-missing", .originMissing),
    Self("top-origin-of-another-site", .topOriginOfAnotherSite),
    Self("relying-party-of-another-site", .relyingPartyOfAnotherSite),
    Self("user-not-present", .userNotPresent),
    Self("user-not-verified", .userNotVerified),
    Self("backed-up-without-eligibility", .backedUpWithoutEligibility),
    Self("authenticator-data-cut", .authenticatorDataCut),
    registration("credential-left-out", .credentialLeftOut),
    registration("key-of-unknown-algorithm", .keyOfUnknownAlgorithm),
    registration("key-off-its-curve", .keyOffItsCurve),
    registration("format-unknown", .formatUnknown),
    registration("attestation-object-cut", .attestationObjectCut),
    signIn("signed-by-another-key", .signedByAnotherKey),
    signIn("signed-in-another-ceremony", .signedInAnotherCeremony),
    signIn("signature-bit-flipped", .signatureBitFlipped),
    signIn("signature-empty", .signatureEmpty),
    signIn("user-handle-of-another", .userHandleOfAnother),
    Self("response-of-another-credential", .responseOfAnotherCredential),
    Self("response-ids-disagree", .responseIDsDisagree),
    Self("response-of-unknown-type", .responseOfUnknownType),
    Self("response-id-missing", .responseIDMissing),
  ]

  /// Returns the response to a registration with the fault, as JSON text.
  package func json(of response: RegistrationResponse) throws(LiveFaultError) -> [UInt8] {
    guard isInRegistrations else { return response.json }
    let data = try mapError(
      AuthenticatorDataDraft(AttestationObject(parsing: response.attestationObject).authenticatorData),
      LiveFaultError.init(malformed:))
    var forged = ForgedResponse(
      of: .registration, id: Array(response.id.bytes), Self.clientData(response.clientDataJSON), data)
    forged.members = [.init(name: "transports", value: .array(response.transports.map { .string($0.rawValue) }))]
    if let key = response.copies.publicKey {
      forged.members.append(.init(name: "publicKey", value: .bytes(Array(key))))
    }
    if let algorithm = response.copies.publicKeyAlgorithm {
      forged.members.append(.init(name: "publicKeyAlgorithm", value: .integer(Int(algorithm.rawValue))))
    }
    forged.take(response.clientExtensionResults, response.authenticatorAttachment)
    return try mapError(forged.json([fault]), LiveFaultError.signingFailed)
  }

  /// Returns the response to a sign-in with the fault, as JSON text. `key` is the passkey's.
  package func json(of response: AuthenticationResponse, key: SigningKey) throws(LiveFaultError) -> [UInt8] {
    guard isInSignIns else { return response.json }
    let data = try mapError(
      AuthenticatorDataDraft(AuthenticatorData(parsing: response.authenticatorData)), LiveFaultError.init(malformed:))
    var forged = ForgedResponse(
      of: .assertion(key), id: Array(response.id.bytes), Self.clientData(response.clientDataJSON), data)
    if let handle = response.userHandle {
      forged.members = [.init(name: "userHandle", value: .bytes(Array(handle.bytes)))]
    }
    forged.take(response.clientExtensionResults, response.authenticatorAttachment)
    return try mapError(forged.json([fault]), LiveFaultError.signingFailed)
  }

  private static func clientData(_ bytes: Bytes) -> ClientDataDraft {
    // The client wrote these bytes: they parse.
    guard let read = try? ClientData(parsing: bytes) else {
      return ClientDataDraft(type: "", challenge: [], origin: "")
    }
    var draft = ClientDataDraft(type: read.type.rawValue, challenge: Array(read.challenge), origin: read.origin)
    draft.crossOrigin = read.crossOrigin.map { .bool($0) }
    draft.topOrigin = read.topOrigin.map { .string($0) }
    return draft
  }
}

/// Why a response could not be made with a fault.
package enum LiveFaultError: Error, Equatable {
  /// The response is no valid one.
  case malformed(String)
  /// Signing failed.
  case signingFailed(PasskeyCryptoError)

  init(malformed error: FormatError) {
    self = .malformed("\(error)")
  }
}

extension AuthenticatorDataDraft {
  /// Takes valid authenticator data apart.
  fileprivate init(_ data: AuthenticatorData) throws(FormatError) {
    self.init(
      relyingPartyIDHash: Array(data.relyingPartyIDHash), flags: data.flags, signCount: data.signCount)
    if let made = data.attestedCredentialData, let key = try? COSEKey(parsing: made.credentialPublicKey) {
      credential = Credential(aaguid: made.aaguid, id: Array(made.credentialID), publicKey: key.tree)
    }
    extensions = data.extensions.map { CBORTree($0) }
  }
}

extension ForgedResponse {
  fileprivate mutating func take(_ outputs: ClientExtensions, _ attachment: AuthenticatorAttachment?) {
    clientExtensionResults = .object(
      outputs.values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: JSONDraft($0.value)) })
    authenticatorAttachment = attachment.map { .string($0.rawValue) }
  }
}

extension JSONDraft {
  fileprivate init(_ value: ExtensionValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    // The outputs of extensions are whole numbers.
    case .number(let value): self = .integer(Int(exactly: value) ?? 0)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(values.map { JSONDraft($0) })
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: JSONDraft($0.value)) })
    }
  }
}
