// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

// The values of accounts, sessions, passkeys and options in responses.

extension Endpoints {
  func add(_ account: Account, to values: inout ShapeValues) {
    values.set(.accountID, profile.identifiers.accountID.text(account.handle.bytes))
    values.set(.accountEmail, account.email?.text)
    values.set(.accountUsername, account.username?.text)
    values.set(.accountName, account.name)
    values.set(.accountDisplayName, account.name)
    values.set(.accountState, account.state.rawValue)
    values[.accountRoles] = .texts(account.roles.map(\.rawValue).sorted())
    values.set(.accountIsAdministrator, account.roles.contains(.administrator))
    values.set(.accountCreated, account.created)
    values.set(.accountEmailVerified, account.emailVerified)
  }

  /// Returns the signal with which authenticators show the account's current name.
  func userDetailsSignal(of account: Account) -> UserDetailsSignal {
    UserDetailsSignal(
      relyingPartyID: service.relyingParty.id,
      user: UserEntity(id: account.handle, name: account.name, displayName: account.name))
  }

  func add(_ session: AccountSession, isThisOne: Bool, to values: inout ShapeValues) {
    values.set(.sessionID, session.id.description)
    values.set(.sessionCredentialID, session.credential.bytes)
    values.set(.sessionCreated, session.created)
    values.set(.sessionLastSeen, session.lastSeen)
    values.set(.sessionVerified, session.verifiedAt)
    values.set(.sessionExpiry, session.expiry)
    values.set(.sessionBrowser, session.client?.browser)
    values.set(.sessionSystem, session.client?.system)
    values.set(.sessionIsCurrent, isThisOne)
  }

  func add(_ passkey: Passkey, to values: inout ShapeValues) {
    values.set(.credentialID, passkey.record.id.bytes)
    values.set(.credentialName, passkey.name.text)
    values.set(.credentialAAGUID, passkey.aaguid.description)
    values.set(.credentialProvider, service.providerName(of: passkey.aaguid))
    values.set(.credentialAttestation, passkey.attestation.trust.rawValue)
    values[.credentialTransports] = .texts(passkey.record.transports.map(\.rawValue))
    values.set(.credentialBackupEligible, passkey.record.backupEligible)
    values.set(.credentialBackedUp, passkey.record.backupState)
    values.set(.credentialDisabled, passkey.isDisabled)
    values.set(.credentialCreated, passkey.created)
    values.set(.credentialLastUsed, passkey.lastUsed)
    values.set(.credentialCloneSuspected, passkey.cloneSignal)
    values.set(.credentialBackupEligibilityChanged, passkey.backupSignal)
  }

  func values(of passkey: Passkey) -> ShapeValues {
    var values = ShapeValues()
    add(passkey, to: &values)
    return values
  }

  func values(of account: Account) -> ShapeValues {
    var values = ShapeValues()
    add(account, to: &values)
    return values
  }

  /// Returns a reply with the options of a ceremony and the time at which they expire.
  func reply(_ options: [UInt8], timeout: UInt32?, _ call: Call) -> Reply {
    Reply.values { (values) in
      values[.options] = .encoded(options)
      values.set(.optionsExpiry, call.expiry(after: timeout))
    }
  }
}
