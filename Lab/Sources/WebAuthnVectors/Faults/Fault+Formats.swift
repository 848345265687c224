// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

// Faults in attestation statements of single formats (WebAuthn §8.3, §8.4, §8.5, §8.9).

extension Fault {
  private static let tpm = FaultStage<TPMCertification>()
  private static let androidKey = FaultStage<AndroidKeyDescription>()
  private static let safetyNet = FaultStage<SafetyNetResponse>()

  // MARK: tpm

  static let tpmOfVersion1 = tpm("the TPM version is 1.2") { $0.version = "1.2" }
  static let tpmMagic = tpm("certInfo does not begin with TPM_GENERATED_VALUE") { $0.magic = 0xff54_4348 }
  static let tpmQuote = tpm("certInfo is a quote, not a key certification") { $0.structureType = 0x8018 }
  package static let tpmExtraData = tpm("certInfo is from another ceremony") {
    $0.extraData = [UInt8](repeating: 0xc4, count: $0.extraData.count)
  }
  static let tpmName = tpm("certInfo certifies another key") {
    $0.name = [0x00, 0x0b] + [UInt8](repeating: 0xc4, count: 32)
  }
  static let tpmClockCut = tpm("certInfo is truncated in the clock") { $0.clockInfo.removeLast() }
  static let tpmPublicAreaCut = tpm("pubArea is truncated") { $0.publicArea.removeLast() }
  static let tpmPublicAreaOfUnknownType = tpm("the type of pubArea is unknown") {
    $0.publicArea.replaceSubrange(..<2, with: [0x00, 0x08])
  }
  static let tpmPublicAreaOfUnknownHash = tpm("the name algorithm of pubArea is unknown") {
    $0.publicArea.replaceSubrange(2..<4, with: [0x00, 0x12])
  }
  package static let tpmPublicAreaOfAnotherKey = tpm("pubArea is that of another key") { (draft) in
    if let last = draft.publicArea.popLast() { draft.publicArea.append(last ^ 1) }
  }

  // MARK: android-key

  package static let androidChallenge = androidKey("the challenge of the key description is that of another ceremony") {
    $0.attestationChallenge = [UInt8](repeating: 0xc4, count: 32)
  }
  static let androidAllApplications = androidKey("every application may use the key") {
    $0.trustedEnvironmentEnforced.allApplications = true
  }
  static let androidAllApplicationsInSoftware = androidKey("every application may use the key, according to software") {
    $0.softwareEnforced.allApplications = true
  }
  static let androidKeyImported = androidKey("the key was imported") {
    $0.trustedEnvironmentEnforced.origin = .imported
  }
  static let androidOriginMissing = androidKey("the key description has no origin") {
    $0.trustedEnvironmentEnforced.origin = nil
  }
  static let androidOriginsDisagree = androidKey("the origins of software and hardware differ") {
    $0.softwareEnforced.origin = .derived
  }
  static let androidKeyVerifies = androidKey("the purpose of the key is verification") {
    $0.trustedEnvironmentEnforced.purposes = [.verify]
  }
  static let androidKeyEncrypts = androidKey("the purposes of the key are signing and encryption") {
    $0.trustedEnvironmentEnforced.purposes = [.sign, .encrypt]
  }
  static let androidPurposeMissing = androidKey("the key description has no purpose") {
    $0.trustedEnvironmentEnforced.purposes = []
  }

  // MARK: android-safetynet

  package static let safetyNetNonce = safetyNet("the nonce of the SafetyNet response is that of another ceremony") {
    $0.nonce = [UInt8](repeating: 0xc4, count: 32)
  }
  package static let safetyNetProfile = safetyNet("ctsProfileMatch is false") { $0.matchesProfile = false }
  static let safetyNetTooOld = safetyNet("the SafetyNet response is two minutes old") {
    $0.time = $0.time - .seconds(120)
  }
  static let safetyNetInFuture = safetyNet("the SafetyNet response is from two minutes in the future") {
    $0.time = $0.time + .seconds(120)
  }
  static let safetyNetVersionEmpty = safetyNet("the SafetyNet version is empty") { $0.version = "" }
  static let safetyNetResponseCut = statement("the SafetyNet response has two parts, not three", .androidSafetyNet) {
    (draft) in
    guard case .bytes(let token)? = draft["response"], let dot = token.lastIndex(of: UInt8(ascii: ".")) else { return }
    draft["response"] = .bytes(Array(token[..<dot]))
  }
  package static let safetyNetSignature = statement(
    "the signature of the SafetyNet response is all zeros", .androidSafetyNet
  ) { (draft) in
    guard case .bytes(let token)? = draft["response"], let dot = token.lastIndex(of: UInt8(ascii: ".")) else { return }
    let zeros = Base64URL.encode([UInt8](repeating: 0, count: 64))
    draft["response"] = .bytes(token[...dot] + [UInt8](zeros.utf8))
  }

  // MARK: compound

  package static let compoundOfOne = compound("the compound statement has one member") { Array($0.prefix(1)) }
  static let compoundOfNine = compound("the compound statement has nine members") { (members) in
    members.first.map { [CBORTree](repeating: $0, count: 9) } ?? []
  }
  static let compoundNested = compound("a member of the compound statement is a compound statement") { (members) in
    members.prefix(1) + [["fmt": "compound", "attStmt": .array(members)]]
  }
  static let compoundOfUnknown = compound("the format of a member of the compound statement is unknown") { (members) in
    members.prefix(1) + [["fmt": "unheard-of", "attStmt": [:]]]
  }
  static let compoundWithoutFormat = compound("a member of the compound statement has no format") { (members) in
    members.prefix(1) + [["attStmt": [:]]]
  }
  static let compoundNotAMap = compound("a member of the compound statement is not a map") { (members) in
    members.prefix(1) + ["none"]
  }

  private static func compound(
    _ name: String, _ corrupt: @escaping @Sendable ([CBORTree]) -> [CBORTree]
  ) -> Fault {
    statement(name, .compound) { (draft) in
      if case .array(let members) = draft.statement { draft.statement = .array(corrupt(members)) }
    }
  }
}
