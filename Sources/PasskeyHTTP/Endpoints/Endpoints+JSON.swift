// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

// The JSON of accounts, sessions and passkeys in responses.

extension Endpoints {
  /// Writes the account under the member name of the profile.
  func write(_ account: Account, to object: inout JSONObjectWriter) {
    object.writeObject(profile.accountMember) { (entry: inout JSONObjectWriter) in
      writeMembers(of: account, to: &entry)
    }
  }

  func writeMembers(of account: Account, to object: inout JSONObjectWriter) {
    object.write("id", .base64URL(account.handle.bytes))
    object.write(profile.addressMember, account.name)
    object.write("state", account.state.rawValue)
    object.writeArray("roles") { (list: inout JSONArrayWriter) in
      for role in account.roles.map(\.rawValue).sorted() { list.write(role) }
    }
    object.write("createdAt", account.created)
  }

  func write(_ session: Session, isThisOne: Bool, to object: inout JSONObjectWriter) {
    object.write("id", session.id.description)
    object.write("credentialId", .base64URL(session.credential.bytes))
    object.write("createdAt", session.created)
    object.write("lastSeenAt", session.lastSeen)
    object.write("expiresAt", session.expiry)
    object.write("current", .bool(isThisOne))
  }

  func write(_ passkey: Passkey, to object: inout JSONObjectWriter) {
    object.write("id", .base64URL(passkey.record.id.bytes))
    object.write("name", passkey.name.text)
    object.write("aaguid", passkey.aaguid.description)
    object.write("attestation", passkey.attestation.trust.rawValue)
    object.writeArray("transports") { (list: inout JSONArrayWriter) in
      for transport in passkey.record.transports { list.write(transport.rawValue) }
    }
    object.write("backupEligible", .bool(passkey.record.backupEligible))
    object.write("backedUp", .bool(passkey.record.backupState))
    object.write("disabled", .bool(passkey.isDisabled))
    object.write("createdAt", passkey.created)
    if let lastUsed = passkey.lastUsed { object.write("lastUsedAt", lastUsed) }
    if let signal = passkey.cloneSignal { object.write("cloneSuspectedAt", signal) }
    if let signal = passkey.backupSignal { object.write("backupEligibilityChangedAt", signal) }
  }
}
