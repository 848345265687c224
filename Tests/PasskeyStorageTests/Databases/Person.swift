// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import SystemCrypto
import WebAuthnTypes
import WireFormats

/// A user with a passkey. All values are random, so that tests can share a database.
struct Person: Sendable {
  let account: Account
  let passkey: Passkey

  static let now = Timestamp(secondsSince1970: 1_800_000_000)

  init(administering: Bool = false) throws {
    let handle = try UserHandle(Self.bytes(32))
    account = Account(
      handle: handle, email: try EmailAddress("\(Hex.encode(try Self.bytes(8)[...]))@example.org"), state: .active,
      roles: administering ? [.administrator] : [], created: Self.now)
    passkey = Passkey(
      user: handle,
      record: CredentialRecord(
        id: try CredentialID(Self.bytes(32)), publicKey: try Self.bytes(77)[...], signCount: 0, uvInitialized: true,
        transports: [.internal, .hybrid], backupEligible: true, backupState: false,
        attestationObject: try Self.bytes(196)[...], attestationClientDataJSON: try Self.bytes(134)[...],
        relyingPartyID: try RelyingPartyID("example.org"), registered: Self.now),
      name: .unnamed, aaguid: .zero,
      attestation: AttestationSummary(format: .none, type: "None", trust: .none), created: Self.now)
  }

  static func bytes(_ count: Int) throws -> [UInt8] { try RandomSource.system.bytes(count) }

  static func digest() throws -> TokenDigest { TokenDigest(unchecked: try bytes(TokenDigest.byteCount)) }

  func opening(_ time: Timestamp = Person.now) throws -> SessionOpening {
    SessionOpening(
      session: Session(
        id: SessionID(unchecked: try Self.bytes(SessionID.byteCount)), user: account.handle,
        credential: passkey.record.id, created: time, expiry: time + .seconds(900), lastSeen: time),
      token: try Self.digest())
  }

  func draft(_ event: AuditEvent = .sessionOpened) throws -> AuditDraft {
    AuditDraft(
      time: Self.now, actor: account.handle, account: account.handle, event: event,
      requestID: Hex.encode(try Self.bytes(8)[...]),
      personalDetails: [
        PersonalDetail(name: .address, person: account.handle, salt: try Self.bytes(32), value: "192.0.2.1")
      ])
  }

  /// Registers the account with its passkey.
  func register(with storage: some Storage) async throws {
    let outcome = try await storage.register(
      RegistrationCommit(
        owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 10,
        time: Self.now, audit: [try draft(.credentialRegistered)]))
    guard outcome == .committed(account) else { throw StorageError(.failed, "\(outcome)") }
  }

  /// Returns a sign-in with a passkey without a counter, which can be stored any number of times.
  func signIn() throws -> SignInCommit {
    SignInCommit(
      use: CredentialUse(
        credential: passkey.record.id, user: account.handle, revision: passkey.revision, signCount: 0,
        backupState: false, changesRecord: false, time: Self.now),
      opening: try opening(), audit: [try draft()])
  }

  func ceremony(expiry: Timestamp = Person.now) throws -> PendingCeremony {
    PendingCeremony(
      id: CeremonyID(unchecked: try Self.bytes(CeremonyID.byteCount)), user: account.handle, expiry: expiry,
      payload: try Self.bytes(300))
  }
}
