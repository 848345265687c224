// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// Faults in an assertion's signature and in the response (WebAuthn §5.1).

extension Fault {
  private static let signing = FaultStage<SigningDraft>()
  private static let signature = FaultStage<SignatureBytes>()
  private static let response = FaultStage<ResponseDraft>()

  // MARK: The signature

  package static let signedByAnotherKey = signing("the signature was made with another key") {
    (draft) throws(PasskeyCryptoError) in
    draft.key = try .another(draft.key.algorithm)
  }
  package static let signedInAnotherCeremony = signing("the signature was made in another ceremony") {
    $0.message = $0.message.dropLast(32) + [UInt8](repeating: 0xc4, count: 32)
  }
  package static let signedWithoutHashing = signing("the signature does not cover the client data") {
    $0.message = $0.message.dropLast(32)
  }
  package static let signatureBitFlipped = signature("one bit of the signature is flipped") { (draft) in
    if let last = draft.bytes.popLast() { draft.bytes.append(last ^ 1) }
  }
  package static let signatureCut = signature("the signature is truncated") { $0.bytes.removeLast() }
  package static let signatureEmpty = signature("the signature is empty") { $0.bytes = [] }
  package static let signatureTrailing = signature("a byte follows the signature") { $0.bytes.append(0) }
  /// The signature of CVE-2022-21449, a sequence of two zeros.
  package static let signatureOfZeros = signature("r and s are zero") {
    $0.bytes = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
  }
  /// The signature format of JOSE: r and s concatenated.
  package static let signatureOfJOSE = signature("r and s are concatenated, not in DER") { (draft) in
    guard let numbers = try? ECDSASignature(der: draft.bytes) else { return }
    draft.bytes = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: max(0, 32 - $0.count)) + $0 }
  }

  // MARK: The response

  package static let responseOfAnotherCredential = response("the response has another credential ID") {
    $0.setID([UInt8](repeating: 0xc1, count: 32))
  }
  package static let responseIDsDisagree = response("id and rawId differ") {
    $0.id = .bytes([UInt8](repeating: 0xc1, count: 32))
  }
  package static let responseOfUnknownType = response("the credential type is unknown") {
    $0.type = .string("private-key")
  }
  package static let responseIDMissing = response("the response has no id") { $0.id = nil }
  package static let responseIDEmpty = response("the credential ID is empty") { $0.setID([]) }
  package static let responseIDTooLong = response("the credential ID has 1024 bytes") {
    $0.setID([UInt8](repeating: 0xc1, count: CredentialID.maximumByteCount + 1))
  }
  package static func responseWithout(_ name: String) -> Fault {
    response("the response has no \(name)") { $0[name] = nil }
  }
  package static func responseNotBase64URL(_ name: String) -> Fault {
    response("the response's \(name) is not base64url") { $0[name] = .string("a+b/") }
  }
  package static let responseNotAnObject = Fault("the response is an array") { (draft: inout ResponseJSON) in
    draft.json = .array([draft.json])
  }
  package static let clientExtensionUnrequested = response(
    "the client has an output of an extension that was not requested"
  ) {
    $0.clientExtensionResults = .object([.init(name: "credProps", value: .object(["rk": .bool(true)]))])
  }

  // MARK: The user

  package static let userHandleOfAnother = response("the user handle is that of another user") {
    $0["userHandle"] = .bytes([UInt8](repeating: 0xc1, count: 32))
  }
  package static let userHandleLeftOut = response("the response has no user handle") { $0["userHandle"] = nil }
  package static let userHandleTooLong = response("the user handle has 65 bytes") {
    $0["userHandle"] = .bytes([UInt8](repeating: 0xc1, count: UserHandle.maximumByteCount + 1))
  }
}
