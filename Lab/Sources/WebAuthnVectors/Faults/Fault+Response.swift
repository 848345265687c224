// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnTypes

// Faults in an assertion's signature and in the response (WebAuthn §5.1).

extension Fault {
  // MARK: The signature

  static let signedByAnotherKey = Fault("the signature was made with another key") {
    (draft: inout SigningDraft) throws(PasskeyCryptoError) in
    draft.key = try .another(draft.key.algorithm)
  }
  static let signedInAnotherCeremony = Fault("the signature was made in another ceremony") {
    (draft: inout SigningDraft) in
    draft.message = draft.message.dropLast(32) + [UInt8](repeating: 0xc4, count: 32)
  }
  static let signedWithoutHashing = Fault("the signature does not cover the client data") {
    (draft: inout SigningDraft) in
    draft.message = draft.message.dropLast(32)
  }
  static let signatureBitFlipped = Fault("one bit of the signature is flipped") { (draft: inout SignatureBytes) in
    if let last = draft.bytes.popLast() { draft.bytes.append(last ^ 1) }
  }
  static let signatureCut = Fault("the signature is truncated") { (draft: inout SignatureBytes) in
    draft.bytes.removeLast()
  }
  static let signatureEmpty = Fault("the signature is empty") { (draft: inout SignatureBytes) in draft.bytes = [] }
  static let signatureTrailing = Fault("a byte follows the signature") { (draft: inout SignatureBytes) in
    draft.bytes.append(0)
  }
  /// The signature of CVE-2022-21449, a sequence of two zeros.
  static let signatureOfZeros = Fault("r and s are zero") { (draft: inout SignatureBytes) in
    draft.bytes = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
  }
  /// The signature format of JOSE: r and s concatenated.
  static let signatureOfJOSE = Fault("r and s are concatenated, not in DER") {
    (draft: inout SignatureBytes) in
    guard let numbers = try? ECDSASignature(der: draft.bytes[...]) else { return }
    draft.bytes = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: max(0, 32 - $0.count)) + $0 }
  }

  // MARK: The response

  static let responseOfAnotherCredential = Fault("the response has another credential ID") {
    (draft: inout ResponseDraft) in draft.setID([UInt8](repeating: 0xc1, count: 32))
  }
  static let responseIDsDisagree = Fault("id and rawId differ") { (draft: inout ResponseDraft) in
    draft.id = .bytes([UInt8](repeating: 0xc1, count: 32))
  }
  static let responseOfUnknownType = Fault("the credential type is unknown") { (draft: inout ResponseDraft) in
    draft.type = .string("private-key")
  }
  static let responseIDMissing = Fault("the response has no id") { (draft: inout ResponseDraft) in draft.id = nil }
  static let responseIDEmpty = Fault("the credential ID is empty") { (draft: inout ResponseDraft) in draft.setID([]) }
  static let responseIDTooLong = Fault("the credential ID has 1024 bytes") { (draft: inout ResponseDraft) in
    draft.setID([UInt8](repeating: 0xc1, count: CredentialID.maximumByteCount + 1))
  }
  static func responseWithout(_ name: String) -> Fault {
    Fault("the response has no \(name)") { (draft: inout ResponseDraft) in draft[name] = nil }
  }
  static func responseNotBase64URL(_ name: String) -> Fault {
    Fault("the response's \(name) is not base64url") { (draft: inout ResponseDraft) in draft[name] = .string("a+b/") }
  }
  static let responseNotAnObject = Fault("the response is an array") { (draft: inout ResponseJSON) in
    draft.json = .array([draft.json])
  }
  static let clientExtensionUnrequested = Fault("the client has an output of an extension that was not requested") {
    (draft: inout ResponseDraft) in
    draft.clientExtensionResults = .object([.init(name: "credProps", value: .object(["rk": .bool(true)]))])
  }

  // MARK: The user

  static let userHandleOfAnother = Fault("the user handle is that of another user") { (draft: inout ResponseDraft) in
    draft["userHandle"] = .bytes([UInt8](repeating: 0xc1, count: 32))
  }
  static let userHandleLeftOut = Fault("the response has no user handle") { (draft: inout ResponseDraft) in
    draft["userHandle"] = nil
  }
  static let userHandleTooLong = Fault("the user handle has 65 bytes") { (draft: inout ResponseDraft) in
    draft["userHandle"] = .bytes([UInt8](repeating: 0xc1, count: UserHandle.maximumByteCount + 1))
  }
}
