// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

// Faults that FIDO's server tests have beside those of the vectors.

extension Fault {
  private static let response = FaultStage<ResponseDraft>()
  private static let clientData = FaultStage<ClientDataDraft>()
  private static let authenticatorDataBytes = FaultStage<AuthenticatorDataBytes>()

  // MARK: The response

  static let responseIDNotText = response("the id is a number") { $0.id = .integer(7) }
  static let responseIDNotBase64URL = response("the id is not base64url") { $0.id = .string("a+b/") }
  static let responseTypeMissing = response("the response has no type") { $0.type = nil }
  static let responseTypeNotText = response("the type is an array") { $0.type = .array(["public-key"]) }
  static let innerResponseMissing = Fault("the response has no member response") { (draft: inout ResponseJSON) in
    guard case .object(let members) = draft.json else { return }
    draft.json = .object(members.filter { $0.name != "response" })
  }
  static let innerResponseNotAnObject = Fault("the member response is a string") { (draft: inout ResponseJSON) in
    guard case .object(let members) = draft.json else { return }
    draft.json = .object(members.map { $0.name == "response" ? .init(name: "response", value: "response") : $0 })
  }
  static func responseWithNumber(for name: String) -> Fault {
    response("the response's \(name) is a number") { $0[name] = .integer(7) }
  }
  static func responseWithEmpty(_ name: String) -> Fault {
    response("the response's \(name) is empty") { $0[name] = "" }
  }

  // MARK: Client data

  static let typeEmpty = clientData("the type is empty") { $0.type = "" }
  static let challengeNotText = clientData("the challenge is an object") { $0.challenge = .object([]) }
  static let challengeNotBase64URL = clientData("the challenge is not base64url") { $0.challenge = "a+b/" }
  static let originEmpty = clientData("the origin is empty") { $0.origin = "" }
  static let tokenBindingNotAnObject = tokenBinding("tokenBinding is a string", "supported")
  static let tokenBindingWithoutStatus = tokenBinding("tokenBinding has no status", .object([]))
  static let tokenBindingOfUnknownStatus = tokenBinding(
    "the status of tokenBinding is unknown", .object(["status": "offered"]))

  private static func tokenBinding(_ name: String, _ value: JSONDraft) -> Fault {
    clientData(name) { $0.more.append(("tokenBinding", value)) }
  }

  // MARK: The attestation object

  static let authenticatorDataEmpty = authenticatorDataBytes("the authenticator data are empty") { $0.bytes = [] }
  static let credentialNotFlagged = authenticatorDataBytes(
    "the flag AT is not set, but there are attested credential data"
  ) { (draft) in
    guard draft.bytes.count > 32 else { return }
    draft.bytes[32] &= ~AuthenticatorFlags.attestedCredentialData.rawValue
  }
  static let credentialCutOff = authenticatorDataBytes("the flag AT is set, but there are no attested credential data")
  { (draft) in draft.bytes = Array(draft.bytes.prefix(37)) }
  static let formatNone = Fault("the format is named none, but the statement is a packed one") {
    (draft: inout AttestationObjectDraft) in draft.members["fmt"] = "none"
  }

  // MARK: The attestation statement

  static let statementEmpty = statement("the statement is empty", .packed) { $0.statement = [:] }
  static let statementSignatureEmpty = statement("the signature of the statement is empty", .packed) {
    $0.signature = []
  }
  static func certificatesReversed(in format: AttestationFormat) -> Fault {
    statement("the certificates are in the reverse order", format) { $0.certificates.reverse() }
  }
  static let certificatesWithAnchor = Fault("the certificates end with the anchor") {
    (draft: inout StatementDraft) throws(PasskeyCryptoError) in
    draft.certificates.append(try VectorAuthorities.rootCertificate())
  }
  static let authorityFirst = Fault("the authority's certificate precedes that of the attestation key") {
    (draft: inout StatementDraft) throws(PasskeyCryptoError) in
    draft.certificates.insert(try VectorAuthorities.rootCertificate(), at: 0)
  }
  /// For a self attestation, to which it adds the certificate of a batch.
  static let signedByCredentialKey = Fault("the credential's key signed, not that of the certificate") {
    (draft: inout StatementDraft) throws(PasskeyCryptoError) in
    let root = try VectorAuthorities.root()
    let leaf = try root.leaf(
      VectorAuthorities.attestation, publicKey: ScenarioValues.key(of: "Batch").publicKey,
      serialNumber: FIDOModel.serialNumber, validity: ScenarioDefaults.validity)
    draft.certificates = [try leaf.certificate(signedBy: root.key, .deterministic)]
  }
  static let modelInFIDOU2F = Fault("the authenticator data have an AAGUID") {
    (draft: inout AuthenticatorDataDraft) in draft.credential?.aaguid = FIDOModel.packed.aaguid
  }
}
