// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
internal import WebAuthnTypes

/// The records of a user with a passkey. All values are random, so that tests can share a database.
package struct SampleUser: Sendable {
  package let account: Account
  package let passkey: Passkey

  package init(administering: Bool = false) throws {
    let handle = try UserHandle(Sample.bytes(32))
    account = Account(
      handle: handle, email: try EmailAddress("\(Hex.encode(try Sample.bytes(8)))@example.org"), state: .active,
      roles: administering ? [.administrator] : [], created: Sample.start)
    passkey = Passkey(
      user: handle,
      record: CredentialRecord(
        id: try CredentialID(Sample.bytes(32)), publicKey: try Sample.bytes(77), signCount: 0, uvInitialized: true,
        transports: [.internal, .hybrid], backupEligible: true, backupState: false,
        attestationObject: try Sample.bytes(196), attestationClientDataJSON: try Sample.bytes(134),
        relyingPartyID: try RelyingPartyID("example.org"), registered: Sample.start),
      name: .unnamed, aaguid: .zero,
      attestation: Passkey.AttestationSummary(format: .none, type: "None", trust: .none), created: Sample.start)
  }

  package func opening(_ time: UnixTime = Sample.start) throws -> SessionOpening {
    SessionOpening(
      session: AccountSession(
        id: try Sample.identifier(), user: account.handle,
        credential: passkey.record.id, created: time, expiry: time + .seconds(900), lastSeen: time),
      token: try Sample.identifier())
  }

  package func draft(_ event: AuditEvent = .sessionOpened) throws -> AuditDraft {
    AuditDraft(
      time: Sample.start, actor: account.handle, account: account.handle, event: event,
      requestID: Hex.encode(try Sample.bytes(8)),
      personalDetails: [
        PersonalDetail(name: .address, person: account.handle, salt: try Sample.bytes(32), value: "192.0.2.1")
      ])
  }

  /// Registers the account with its passkey.
  package func register(with storage: DatabaseStorage) async throws {
    let outcome = try await storage.register(
      RegistrationCommit(
        owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 10,
        time: Sample.start, audit: [try draft(.credentialRegistered)]))
    guard outcome.value == account else { throw StorageError(.failed, "\(outcome)") }
  }

  /// Returns a sign-in with a passkey without a counter, which can be stored any number of times.
  package func signIn() throws -> SignInCommit {
    SignInCommit(
      use: CredentialUse(
        credential: passkey.record.id, user: account.handle, revision: passkey.revision, signCount: 0,
        backupState: false, changesRecord: false, time: Sample.start),
      opening: try opening(), audit: [try draft()])
  }
}
