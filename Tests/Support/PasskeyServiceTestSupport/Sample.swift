// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

/// Sample values to store, each with its own identity.
package enum Sample {
  package static let start = UnixTime(secondsSince1970: 1_800_000_000)

  package static func time(_ seconds: Int) -> UnixTime { start + .seconds(seconds) }

  package static func bytes(_ count: Int) throws -> [UInt8] { try RandomSource.system.bytes(count) }

  package static func identifier<Identifier: FixedBytes>() throws -> Identifier {
    Identifier(unchecked: try bytes(Identifier.byteCount))
  }

  package static func account(
    _ email: String? = nil, _ state: Account.State = .active, roles: Set<Role> = []
  ) throws -> Account {
    let handle = try UserHandle(bytes(32))
    return Account(
      handle: handle, email: try EmailAddress(email ?? "\(Hex.encode(bytes(6)))@raxx.app"), state: state, roles: roles,
      created: start)
  }

  package static func passkey(of user: UserHandle, signCount: UInt32 = 0) throws -> Passkey {
    let id = try CredentialID(bytes(32))
    let record = CredentialRecord(
      id: id, publicKey: try bytes(77), signCount: signCount, uvInitialized: true,
      transports: [.internal, .hybrid], backupEligible: true, backupState: false,
      attestationObject: try bytes(300), attestationClientDataJSON: Array(#"{"type":"x"}"#.utf8),
      relyingPartyID: try RelyingPartyID("raxx.app"))
    return Passkey(
      user: user, record: record, name: try Passkey.Name("Ada’s phone"), aaguid: .zero,
      attestation: Passkey.AttestationSummary(format: .packed, type: "basic", trust: .unanchored, reason: "no anchors"),
      created: start)
  }

  package static func opening(
    of user: UserHandle, with credential: CredentialID, at time: UnixTime = start, lifetime: Int = 900,
    renewable: Bool = false
  ) throws -> SessionOpening {
    var session = AccountSession(
      id: try identifier(), user: user, credential: credential, created: time, expiry: time + .seconds(lifetime),
      lastSeen: time, renewalEnd: renewable ? time + .seconds(86_400) : nil)
    session.client = renewable ? AccountSession.ClientSoftware(browser: "Firefox", system: "Linux") : nil
    let refresh = try renewable ? refreshToken(of: session, until: time + .seconds(7_200)) : nil
    return SessionOpening(session: session, token: try identifier(), refresh: refresh)
  }

  package static func refreshToken(of session: AccountSession, until expiry: UnixTime) throws -> RefreshToken {
    RefreshToken(digest: try identifier(), session: session.id, user: session.user, expiry: expiry)
  }

  package static func ceremony(until expiry: UnixTime = time(300)) throws -> CeremonyID {
    CeremonyID(unchecked: CeremonyID.bound(of: expiry) + (try bytes(16)))
  }

  package static func grant(
    of opening: SessionOpening, action: [UInt8]? = nil, until expiry: UnixTime = time(60)
  ) throws -> StepUpGrant {
    StepUpGrant(
      digest: try identifier(), user: opening.session.user, session: opening.session.id,
      actionDigest: try action ?? bytes(32), expiry: expiry)
  }

  package static func draft(
    _ event: AuditEvent = .sessionOpened, of account: UserHandle? = nil, by actor: UserHandle? = nil,
    address: String? = nil, at time: UnixTime = start
  ) throws -> AuditDraft {
    var draft = AuditDraft(
      time: time, actor: actor ?? account, account: account, event: event, subject: "session:x", requestID: "r-1",
      details: ["method": "POST", "note": "quarter – ¼"])
    if let address {
      draft.personalDetails = [
        PersonalDetail(name: .address, person: actor ?? account, salt: try bytes(32), value: address)
      ]
    }
    return draft
  }
}

extension GrantSpending {
  /// Spends the grant for the action that it confirms.
  package init(_ grant: StepUpGrant, at time: UnixTime = Sample.start) {
    self.init(
      digest: grant.digest, user: grant.user, session: grant.session, actionDigest: grant.actionDigest, time: time)
  }
}

extension CredentialUse {
  /// A use of the unchanged passkey, or with a counter a use that updates it.
  package init(_ passkey: Passkey, signCount: UInt32? = nil, at time: UnixTime = Sample.start) {
    self.init(
      credential: passkey.record.id, user: passkey.user, revision: passkey.revision,
      signCount: signCount ?? passkey.record.signCount, backupState: passkey.record.backupState,
      changesRecord: signCount != nil, time: time)
  }
}

extension DatabaseStorage {
  /// Returns the account with this email address.
  package func account(email: EmailAddress) async throws(StorageError) -> Account? {
    try await account(.email(email))
  }

  /// Registers an account with a passkey and without a session.
  package func registerAccount(_ account: Account? = nil) async throws -> (account: Account, passkey: Passkey) {
    let account = try account ?? Sample.account()
    let passkey = try Sample.passkey(of: account.handle)
    let outcome = try await register(
      RegistrationCommit(
        owner: .newAccount(account), passkey: passkey, code: nil, opening: nil, maximumPasskeyCount: 20,
        time: Sample.start, audit: []))
    guard outcome.value == account else { throw UnexpectedOutcome("\(outcome)") }
    return (account, passkey)
  }

  /// Adds a passkey.
  package func add(to account: Account) async throws -> Passkey {
    let passkey = try Sample.passkey(of: account.handle)
    let outcome = try await register(
      RegistrationCommit(
        owner: .account(account.handle, session: nil), passkey: passkey, code: nil, opening: nil,
        maximumPasskeyCount: 20, time: Sample.start, audit: []))
    guard outcome.value == account else { throw UnexpectedOutcome("\(outcome)") }
    return passkey
  }

  /// Opens a session of an account.
  package func open(
    _ passkey: Passkey, at time: UnixTime = Sample.start, lifetime: Int = 900, renewable: Bool = false
  ) async throws -> SessionOpening {
    let opening = try Sample.opening(
      of: passkey.user, with: passkey.record.id, at: time, lifetime: lifetime, renewable: renewable)
    let outcome = try await signIn(SignInCommit(use: CredentialUse(passkey, at: time), opening: opening, audit: []))
    guard outcome == .opened else { throw UnexpectedOutcome("\(outcome)") }
    return opening
  }

  /// Creates a grant in a session.
  package func grant(
    _ passkey: Passkey, _ opening: SessionOpening, until expiry: UnixTime = Sample.time(60)
  ) async throws -> StepUpGrant {
    let grant = try Sample.grant(of: opening, until: expiry)
    let outcome = try await confirm(StepUpCommit(use: CredentialUse(passkey), grant: grant, audit: []))
    guard outcome == .granted else { throw UnexpectedOutcome("\(outcome)") }
    return grant
  }

  /// Returns an account's sessions, newest first, including expired ones.
  package func sessions(of user: UserHandle, limit: Int) async throws(StorageError) -> [AccountSession] {
    try await sessions(of: user, but: nil, keeping: nil, limit: limit)
  }

  /// The number of audit records.
  package var recordCount: Int64 {
    get async throws { Int64(try await auditEntries(after: 0, of: nil, limit: .max).count) }
  }
}

/// The set-up of a test failed.
package struct UnexpectedOutcome: Error {
  package let outcome: String

  package init(_ outcome: String) {
    self.outcome = outcome
  }
}
