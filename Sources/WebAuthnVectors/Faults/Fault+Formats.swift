// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

// What can be wrong inside the statements of single formats (WebAuthn §8.3, §8.4, §8.5, §8.9).

extension Fault {
  // MARK: tpm

  static let tpmOfVersion1 = Fault("the TPM is of version 1.2") { (draft: inout TPMCertification) in
    draft.version = "1.2"
  }
  static let tpmMagic = Fault("what the TPM signed does not begin as only a TPM lets it begin") {
    (draft: inout TPMCertification) in draft.magic = 0xff54_4348
  }
  static let tpmQuote = Fault("the TPM made a quote, and certified no key") { (draft: inout TPMCertification) in
    draft.structureType = 0x8018
  }
  static let tpmExtraData = Fault("the TPM was asked in another ceremony") { (draft: inout TPMCertification) in
    draft.extraData = [UInt8](repeating: 0xc4, count: draft.extraData.count)
  }
  static let tpmName = Fault("the TPM certified another key") { (draft: inout TPMCertification) in
    draft.name = [0x00, 0x0b] + [UInt8](repeating: 0xc4, count: 32)
  }
  static let tpmClockCut = Fault("the clock in certInfo lacks a byte") { (draft: inout TPMCertification) in
    draft.clockInfo.removeLast()
  }
  static let tpmPublicAreaCut = Fault("pubArea is cut short") { (draft: inout TPMCertification) in
    draft.publicArea.removeLast()
  }
  static let tpmPublicAreaOfUnknownType = Fault("pubArea is of an unknown type") { (draft: inout TPMCertification) in
    draft.publicArea.replaceSubrange(..<2, with: [0x00, 0x08])
  }
  static let tpmPublicAreaOfUnknownHash = Fault("pubArea is named by an unknown hash") {
    (draft: inout TPMCertification) in draft.publicArea.replaceSubrange(2..<4, with: [0x00, 0x12])
  }
  static let tpmPublicAreaOfAnotherKey = Fault("pubArea is another key's") { (draft: inout TPMCertification) in
    if let last = draft.publicArea.popLast() { draft.publicArea.append(last ^ 1) }
  }

  // MARK: android-key

  static let androidChallenge = Fault("the key store was asked in another ceremony") {
    (draft: inout AndroidKeyDescription) in draft.attestationChallenge = [UInt8](repeating: 0xc4, count: 32)
  }
  static let androidAllApplications = Fault("every application may use the key") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.allApplications = true
  }
  static let androidAllApplicationsInSoftware = Fault("every application may use the key, says the software") {
    (draft: inout AndroidKeyDescription) in draft.softwareEnforced.allApplications = true
  }
  static let androidKeyImported = Fault("the key was made elsewhere") { (draft: inout AndroidKeyDescription) in
    draft.trustedEnvironmentEnforced.origin = .imported
  }
  static let androidOriginMissing = Fault("where the key was made is not told") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.origin = nil
  }
  static let androidOriginsDisagree = Fault("software and hardware disagree about where the key was made") {
    (draft: inout AndroidKeyDescription) in draft.softwareEnforced.origin = .derived
  }
  static let androidKeyVerifies = Fault("the key is there to verify") { (draft: inout AndroidKeyDescription) in
    draft.trustedEnvironmentEnforced.purposes = [.verify]
  }
  static let androidKeyEncrypts = Fault("the key is there to sign and to encrypt") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.purposes = [.sign, .encrypt]
  }
  static let androidPurposeMissing = Fault("what the key is for is not told") {
    (draft: inout AndroidKeyDescription) in draft.trustedEnvironmentEnforced.purposes = []
  }

  // MARK: android-safetynet

  static let safetyNetNonce = Fault("SafetyNet was asked in another ceremony") { (draft: inout SafetyNetResponse) in
    draft.nonce = [UInt8](repeating: 0xc4, count: 32)
  }
  static let safetyNetProfile = Fault("the phone is not one that passed Android's tests") {
    (draft: inout SafetyNetResponse) in draft.matchesProfile = false
  }
  static let safetyNetTooOld = Fault("SafetyNet was asked two minutes before") { (draft: inout SafetyNetResponse) in
    draft.time = draft.time - .seconds(120)
  }
  static let safetyNetInFuture = Fault("SafetyNet was asked two minutes later") { (draft: inout SafetyNetResponse) in
    draft.time = draft.time + .seconds(120)
  }
  static let safetyNetVersionEmpty = Fault("SafetyNet has no version") { (draft: inout SafetyNetResponse) in
    draft.version = ""
  }
  static let safetyNetResponseCut = statement("SafetyNet's response has two parts, not three", .androidSafetyNet) {
    (draft) in
    guard case .bytes(let token)? = draft["response"], let dot = token.lastIndex(of: UInt8(ascii: ".")) else { return }
    draft["response"] = .bytes(Array(token[..<dot]))
  }
  static let safetyNetSignature = statement("SafetyNet's signature is all zeros", .androidSafetyNet) { (draft) in
    guard case .bytes(let token)? = draft["response"], let dot = token.lastIndex(of: UInt8(ascii: ".")) else { return }
    let zeros = Base64URL.encode([UInt8](repeating: 0, count: 64))
    draft["response"] = .bytes(token[...dot] + [UInt8](zeros.utf8))
  }

  // MARK: compound

  static let compoundOfOne = compound("the compound statement has one member") { Array($0.prefix(1)) }
  static let compoundOfNine = compound("the compound statement has nine members") { (members) in
    members.first.map { [CBORTree](repeating: $0, count: 9) } ?? []
  }
  static let compoundNested = compound("a compound statement is a member of another") { (members) in
    members.prefix(1) + [["fmt": "compound", "attStmt": .array(members)]]
  }
  static let compoundOfUnknown = compound("a member of the compound statement is of an unknown format") { (members) in
    members.prefix(1) + [["fmt": "unheard-of", "attStmt": [:]]]
  }
  static let compoundWithoutFormat = compound("a member of the compound statement has no format") { (members) in
    members.prefix(1) + [["attStmt": [:]]]
  }
  static let compoundNotAMap = compound("a member of the compound statement is no map") { (members) in
    members.prefix(1) + ["none"]
  }

  private static func compound(
    _ name: String, _ spoil: @escaping @Sendable ([CBORTree]) -> [CBORTree]
  ) -> Fault {
    statement(name, .compound) { (draft) in
      if case .array(let members) = draft.statement { draft.statement = .array(spoil(members)) }
    }
  }
}
