// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

/// The checks of an assertion (WebAuthn §7.2).
struct AuthenticationCheck {
  let faults: Faults
  let origin: String

  /// Verifies an assertion by a passkey, and updates the counter and the backup state of the passkey.
  func verify(
    _ response: AuthenticationResponse, _ clientData: ClientData, of ceremony: Ceremony, by passkey: inout Passkey
  ) throws {
    let isAllowed = ceremony.allowed.isEmpty || ceremony.allowed.contains(passkey.id)
    try require(isAllowed, "credential-not-listed")
    let handle = response.userHandle.map { Array($0.bytes) }
    try require(handle == nil || handle == passkey.owner, "user-handle-other")
    try require(ceremony.account == nil || ceremony.account?.handle == passkey.owner, "other-account")
    let clientDataCheck = ClientDataCheck(faults: faults, origin: origin, group: "authentication")
    try clientDataCheck.ignoreTokenBinding(in: response.clientDataJSON)
    try clientDataCheck.verify(clientData, is: .get)
    let data = try AuthenticatorData(parsing: response.authenticatorData)
    let digest = Array(data.relyingPartyIDHash)
    let isEmpty = digest.allSatisfy { $0 == 0 }
    try require(digest == Digest.sha256(FaultyParty.id.utf8), isEmpty ? "rp-id-empty" : "rp-id-other")
    try require(data.flags.contains(.userPresent), "user-presence")
    let isStepUp = ceremony.purpose == .stepUp
    let needsVerification = ceremony.needsVerification && !(isStepUp && faults.has("step-up.user-verification"))
    let purpose = ceremony.purpose == .reverification ? "reverify-" : ""
    try require(data.flags.contains(.userVerified) || !needsVerification, "\(purpose)user-verification")
    try require(data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), "backup-state")
    try require(data.flags.contains(.backupEligible) == passkey.isBackupEligible, "backup-eligibility")
    try clientDataCheck.ignoreExtensions(of: data)
    try checkSignature(response, data, passkey.key)
    let isCounting = data.signCount != 0 || passkey.counter != 0
    let isReplayed = isStepUp && faults.has("step-up.replayed-assertion")
    try require(!isCounting || isReplayed || data.signCount > passkey.counter, "counter-back")
    passkey.counter = data.signCount
    passkey.isBackedUp = data.flags.contains(.backedUp)
  }

  /// Verifies the signature. The ID in a refusal says how the signature is wrong.
  private func checkSignature(_ response: AuthenticationResponse, _ data: AuthenticatorData, _ key: COSEKey) throws {
    let digest = Digest.sha256(response.clientDataJSON)
    func isValid(_ signature: Bytes, _ digest: [UInt8]) -> Bool {
      (try? key.verify(signature, over: data.encoded, followedBy: Bytes(digest))) != nil
    }
    let signature = response.signature
    guard signature.count < 1_000 else { throw Refusal(.unauthorized, "authentication.signature-large") }
    guard !isValid(signature, digest) else { return }
    let flipped = Bytes(signature.dropLast() + (signature.last.map { [$0 ^ 1] } ?? []))
    let name =
      switch true {
      case signature.isEmpty: "empty"
      case signature.count == 8: "zero"
      case isValid(signature, []): "other-data"
      case isValid(flipped, digest): "flipped"
      default: "other-key"
      }
    try require(false, "signature-\(name)")
  }

  private func require(_ holds: Bool, _ name: String) throws {
    try ClientDataCheck(faults: faults, origin: origin, group: "authentication").require(holds, name)
  }
}
