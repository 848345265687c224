// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

// Faults in attestation statements of single formats (WebAuthn §8.3, §8.4, §8.5, §8.9).

extension Fault {
  // MARK: tpm

  static let tpmOfVersion1 = Fault("the TPM version is 1.2") { (draft: inout TPMCertification) in
    draft.version = "1.2"
  }
  static let tpmMagic = Fault("certInfo does not begin with TPM_GENERATED_VALUE") {
    (draft: inout TPMCertification) in draft.magic = 0xff54_4348
  }
  static let tpmQuote = Fault("certInfo is a quote, not a key certification") { (draft: inout TPMCertification) in
    draft.structureType = 0x8018
  }
  package static let tpmExtraData = Fault("certInfo is from another ceremony") { (draft: inout TPMCertification) in
    draft.extraData = [UInt8](repeating: 0xc4, count: draft.extraData.count)
  }
  static let tpmName = Fault("certInfo certifies another key") { (draft: inout TPMCertification) in
    draft.name = [0x00, 0x0b] + [UInt8](repeating: 0xc4, count: 32)
  }
  static let tpmClockCut = Fault("certInfo is truncated in the clock") { (draft: inout TPMCertification) in
    draft.clockInfo.removeLast()
  }
  static let tpmPublicAreaCut = Fault("pubArea is truncated") { (draft: inout TPMCertification) in
    draft.publicArea.removeLast()
  }
  static let tpmPublicAreaOfUnknownType = Fault("the type of pubArea is unknown") { (draft: inout TPMCertification) in
    draft.publicArea.replaceSubrange(..<2, with: [0x00, 0x08])
  }
  static let tpmPublicAreaOfUnknownHash = Fault("the name algorithm of pubArea is unknown") {
    (draft: inout TPMCertification) in draft.publicArea.replaceSubrange(2..<4, with: [0x00, 0x12])
  }
  package static let tpmPublicAreaOfAnotherKey = Fault("pubArea is that of another key") {
    (draft: inout TPMCertification) in
    if let last = draft.publicArea.popLast() { draft.publicArea.append(last ^ 1) }
  }

  // MARK: android-key

  package static let androidChallenge = Fault("the challenge of the key description is that of another ceremony") {
    (draft: inout AndroidKeyDescription) in draft.attestationChallenge = [UInt8](repeating: 0xc4, count: 32)
  }
  static let androidAllApplications = Fault("every application may use the key") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.allApplications = true
  }
  static let androidAllApplicationsInSoftware = Fault("every application may use the key, according to software") {
    (draft: inout AndroidKeyDescription) in draft.softwareEnforced.allApplications = true
  }
  static let androidKeyImported = Fault("the key was imported") { (draft: inout AndroidKeyDescription) in
    draft.trustedEnvironmentEnforced.origin = .imported
  }
  static let androidOriginMissing = Fault("the key description has no origin") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.origin = nil
  }
  static let androidOriginsDisagree = Fault("the origins of software and hardware differ") {
    (draft: inout AndroidKeyDescription) in draft.softwareEnforced.origin = .derived
  }
  static let androidKeyVerifies = Fault("the purpose of the key is verification") {
    (draft: inout AndroidKeyDescription) in
    draft.trustedEnvironmentEnforced.purposes = [.verify]
  }
  static let androidKeyEncrypts = Fault("the purposes of the key are signing and encryption") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.purposes = [.sign, .encrypt]
  }
  static let androidPurposeMissing = Fault("the key description has no purpose") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.purposes = []
  }

  // MARK: android-safetynet

  package static let safetyNetNonce = Fault("the nonce of the SafetyNet response is that of another ceremony") {
    (draft: inout SafetyNetResponse) in
    draft.nonce = [UInt8](repeating: 0xc4, count: 32)
  }
  package static let safetyNetProfile = Fault("ctsProfileMatch is false") {
    (draft: inout SafetyNetResponse) in draft.matchesProfile = false
  }
  static let safetyNetTooOld = Fault("the SafetyNet response is two minutes old") { (draft: inout SafetyNetResponse) in
    draft.time = draft.time - .seconds(120)
  }
  static let safetyNetInFuture = Fault("the SafetyNet response is from two minutes in the future") {
    (draft: inout SafetyNetResponse) in
    draft.time = draft.time + .seconds(120)
  }
  static let safetyNetVersionEmpty = Fault("the SafetyNet version is empty") { (draft: inout SafetyNetResponse) in
    draft.version = ""
  }
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
