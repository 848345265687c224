// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// Faults in the attestation object (WebAuthn §6.5).

extension Fault {
  private static let attestationObject = FaultStage<AttestationObjectBytes>()

  package static let formatUnknown = member("fmt", "the format is unknown", "unheard-of")
  package static let formatMissing = member("fmt", "the attestation object has no format", nil)
  package static let formatNotText = member("fmt", "the format is a number", 1)
  package static let statementNotAMap = member("attStmt", "the statement is an array", [])
  package static let statementMissing = member("attStmt", "the attestation object has no statement", nil)
  package static let authenticatorDataMissing = member(
    "authData", "the attestation object has no authenticator data", nil)
  package static let authenticatorDataNotBytes = member(
    "authData", "the authenticator data are a text string", "authData")
  package static let attestationObjectCut = attestationObject("the attestation object is truncated") {
    $0.bytes.removeLast()
  }
  package static let attestationObjectTrailing = attestationObject("a byte follows the attestation object") {
    $0.bytes.append(0)
  }
  package static let attestationObjectEmpty = attestationObject("the attestation object is empty") { $0.bytes = [] }
  package static let attestationObjectNotAMap = attestationObject("the attestation object is an array") {
    $0.bytes = [0x81] + $0.bytes
  }

  private static func member(_ key: CBORKey, _ name: String, _ value: CBORTree?) -> Fault {
    Fault(name) { (draft: inout AttestationObjectDraft) in draft.members[key] = value }
  }
}
