// SPDX-License-Identifier: Apache-2.0

import COSE
import PasskeyHTTP
import SystemCrypto
import WebAuthnTypes
import WireFormats

/// The checks of an assertion (WebAuthn §7.2).
struct AuthenticationCheck {
  let faults: Faults
  let origin: String

  /// Verifies an assertion by a passkey, and updates the counter and the backup state of the passkey.
  func verify(
    _ response: AuthenticationResponse, _ clientData: ClientData, of ceremony: Ceremony, by passkey: inout Passkey
  ) throws {
    let handle = response.userHandle.map { Array($0.bytes) }
    try require(handle == nil || handle == passkey.owner, "authentication.user-handle")
    try require(ceremony.account == nil || ceremony.account?.handle == passkey.owner, "authentication.other-account")
    try require(clientData.type == .get, "authentication.type")
    try require(Array(clientData.challenge) == ceremony.challenge, "authentication.challenge")
    try require(clientData.origin.utf8.elementsEqual(origin.utf8), "authentication.origin")
    try require(clientData.crossOrigin != true && clientData.topOrigin == nil, "authentication.cross-origin")
    let data = try AuthenticatorData(parsing: response.authenticatorData)
    try require(Array(data.relyingPartyIDHash) == Digest.sha256(FaultyParty.id.utf8), "authentication.rp-id")
    try require(data.flags.contains(.userPresent), "authentication.user-presence")
    let isStepUp = ceremony.purpose == .stepUp
    let needsVerification = !(isStepUp && faults.has("step-up.user-verification"))
    try require(data.flags.contains(.userVerified) || !needsVerification, "authentication.user-verification")
    try require(data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp), "authentication.backup-state")
    try require(data.flags.contains(.backupEligible) == passkey.isBackupEligible, "authentication.backup-eligibility")
    try require(data.extensions == nil, "authentication.extension")
    try passkey.key.verify(
      response.signature, over: data.encoded, followedBy: Bytes(Digest.sha256(response.clientDataJSON)))
    let isCounting = data.signCount != 0 || passkey.counter != 0
    let isReplayed = isStepUp && faults.has("step-up.replayed-assertion")
    try require(!isCounting || isReplayed || data.signCount > passkey.counter, "authentication.counter")
    passkey.counter = data.signCount
    passkey.isBackedUp = data.flags.contains(.backedUp)
  }

  private func require(_ holds: Bool, _ code: String) throws {
    guard holds else { throw Refusal(.unauthorized, code) }
  }
}
