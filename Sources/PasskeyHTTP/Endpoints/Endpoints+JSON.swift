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
    object.write(profile.addressMember, .string(account.email.text))
    object.write("state", .string(account.state.rawValue))
    object.writeArray("roles") { (list: inout JSONArrayWriter) in
      for role in account.roles.map(\.rawValue).sorted() { list.write(.string(role)) }
    }
    object.write("createdAt", .string(account.created.description))
  }

  func write(_ session: Session, isThisOne: Bool, to object: inout JSONObjectWriter) {
    object.write("id", .string(session.id.description))
    object.write("credentialId", .base64URL(session.credential.bytes))
    object.write("createdAt", .string(session.created.description))
    object.write("lastSeenAt", .string(session.lastSeen.description))
    object.write("expiresAt", .string(session.expiry.description))
    object.write("current", .bool(isThisOne))
  }

  func write(_ passkey: Passkey, to object: inout JSONObjectWriter) {
    object.write("id", .base64URL(passkey.record.id.bytes))
    object.write("name", .string(passkey.name.text))
    object.write("aaguid", .string(passkey.aaguid.description))
    object.write("attestation", .string(passkey.attestation.trust.rawValue))
    object.writeArray("transports") { (list: inout JSONArrayWriter) in
      for transport in passkey.record.transports { list.write(.string(transport.rawValue)) }
    }
    object.write("backupEligible", .bool(passkey.record.backupEligible))
    object.write("backedUp", .bool(passkey.record.backupState))
    object.write("disabled", .bool(passkey.isDisabled))
    object.write("createdAt", .string(passkey.created.description))
    if let lastUsed = passkey.lastUsed { object.write("lastUsedAt", .string(lastUsed.description)) }
    if let signal = passkey.cloneSignal { object.write("cloneSuspectedAt", .string(signal.description)) }
    if let signal = passkey.backupSignal { object.write("backupEligibilityChangedAt", .string(signal.description)) }
  }
}
