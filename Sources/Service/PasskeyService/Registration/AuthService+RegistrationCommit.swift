// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

// The final part of a registration, called by `finishRegistration`.

extension AuthService {
  func register(
    _ received: ReceivedRegistration, _ name: Passkey.Name?, _ taken: ResumedCeremony,
    _ intent: RegistrationIntent, _ session: AuthenticatedSession?, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    let owner = try Self.owner(intent, taken, session)
    var isConditional = false
    let verified = try verifyResponse(.signUp) { () throws(CeremonyError) in
      let opened = try taken.unsealed.registration()
      isConditional = opened.pending.isConditional
      return try current.value.finishRegistration(
        received, pending: opened.pending, binding: taken.binding, existing: CredentialLookup(taken.passkey?.stored),
        at: context.time)
    }
    var record = verified.credential.record.withPlausibleTransports
    // A conditional registration may lack user verification. The service begins one only after a sign-in in the same
    // session that verified the user, which authorizes the user verification of later sign-ins (WebAuthn §7.2 step 24).
    if isConditional { record.uvInitialized = true }
    let passkey = Passkey(
      user: verified.credential.user, record: record,
      name: name ?? Passkey.Name(of: record, verified.aaguid, context.client),
      aaguid: verified.aaguid, attestation: Passkey.AttestationSummary(verified.attestation), created: context.time)
    var account = try await account(of: owner)
    let address = try await addressRule(for: intent, in: context)
    if address.verification == .required {
      guard try await stored(async: await storage.spend(taken.id)) else {
        throw ServiceError(.signUpCeremonyUnknown, "spent")
      }
      return try await beginSignUpVerification(of: account, passkey, code: intent.code, in: context)
    }
    if address.proof != nil { account.emailVerified = context.time }
    account.awaitsVerification = account.awaitsVerification || address.verification == .beforeFirstUse
    let locale = account.locale.completed(by: context)
    if intent.isSignUp, let locale { account.locale = locale }
    // Adding a passkey opens no session, because it happens in one.
    let opensSession = if case .addition = intent { false } else { admitsSession(account) }
    let new = try opensSession ? newSession(of: account, with: passkey.record.id, in: context) : nil
    let recovers = try await recoversAccount(intent)
    // A user who has lost all passkeys cannot delete one to make room, and an administrator has authorized the
    // recovery.
    let limit = if case .recovery = intent { Int.max } else { policy.maximumPasskeyCount }
    var commit = RegistrationCommit(
      owner: intent.isSignUp ? .newAccount(account) : owner, passkey: passkey, code: intent.code,
      opening: new?.opening, maximumPasskeyCount: limit,
      time: context.time,
      audit: try drafts(
        address.isOwn ? .signUp(account, code: nil) : intent, passkey, account, new?.opened, recovers: recovers,
        in: context),
      auditIfTaken: [
        try draft(
          .credentialRegistered, by: nil, of: nil, subject: taken.subject(passkey.record.id),
          outcome: ServiceError.Code.signUpEmailTaken.rawValue, in: context)
      ])
    commit.ceremony = taken.id
    commit.completedEmail = address.mailed
    if let proof = address.proof {
      commit.audit.append(
        try draft(.emailVerified, by: account.handle, of: account.handle, subject: proof, in: context))
    }
    commit.client = opensSession ? knownClient(of: account.handle, in: context) : nil
    commit.locale = intent.isSignUp ? nil : locale
    var started: StartedVerification?
    if address.verification == .beforeFirstUse {
      let owner = try await owners(of: account.names).ofEmail
      let purpose = EmailCeremony.Purpose.verification
      let (start, verification) = try signUpVerification(purpose, of: account, passkey, owner: nil, in: context)
      var decoy = start
      (decoy.ceremony.isDecoy, decoy.ceremony.account) = (true, nil)
      decoy.mail = [try mailDraft(of: decoy.ceremony, owner: owner, in: context)]
      (commit.verification, commit.verificationIfTaken, started) = (start, decoy, verification)
    }
    if recovers {
      // A previous holder of the account may be the reason for the recovery.
      commit.endsSessions = true
      commit.disablesOtherPasskeys = policy.recoveryDisablesPasskeys
    }
    do throws(ServiceError) {
      let account = try await stored(async: await storage.register(commit)).get()
      // The store opens no session that the account's state does not admit.
      return RegisteredPasskey(
        passkey: passkey, account: account, opened: admitsSession(account) ? new?.opened : nil, verification: started)
    } catch {
      // Without a session, this response is the same as for a free address and does not reveal that
      // the account exists. With an invitation the error may reveal it: the invitation is bound to an address, or shows
      // that its holder was admitted.
      if error.code == .signUpEmailTaken, case .signUp(_, code: nil) = intent, !admitsSession(account) {
        return RegisteredPasskey(passkey: passkey, account: account, opened: nil, verification: started)
      }
      // The code proves that the client may know about this mailbox, and the next attempt needs another address.
      if error.code == .signUpEmailTaken, address.isOwn { throw ServiceError(.accountEmailTaken) }
      // Another registration has used the invitation.
      if error.code == .emailVerificationUnknown { throw ServiceError(.signUpCodeRefused) }
      throw error
    }
  }

  /// Returns the account that gets the passkey. A passkey can be added only in the session that began the registration.
  private static func owner(
    _ intent: RegistrationIntent, _ ceremony: ResumedCeremony, _ session: AuthenticatedSession?
  ) throws(ServiceError) -> RegistrationCommit.Owner {
    switch intent {
    case .signUp(let account, _): return .newAccount(account)
    case .recovery(let handle, _): return .account(handle, session: nil)
    case .addition(let handle):
      guard let session, session.account.handle == handle,
        ceremony.binding == CeremonyBinding(session.session.id.bytes)
      else {
        throw ServiceError(.signUpCeremonyUnknown, "begun in another session")
      }
      return .account(handle, session: session.session.id)
    }
  }

  private func account(of owner: RegistrationCommit.Owner) async throws(ServiceError) -> Account {
    switch owner {
    case .newAccount(let account): return account
    case .account(let handle, _):
      let account = try await stored(async: await storage.account(handle))
      guard let account else { throw ServiceError(.signUpAccountRefused) }
      return account
    }
  }

  /// Returns whether a registration recovers an account. The first passkey of an account that an administrator created
  /// replaces none.
  private func recoversAccount(_ intent: RegistrationIntent) async throws(ServiceError) -> Bool {
    guard case .recovery(let handle, let code) = intent else { return false }
    let issued = try await stored(async: await storage.code(code))
    guard issued?.purpose == .firstPasskey else { return true }
    return try await !allPasskeys(of: handle).isEmpty
  }

  func drafts(
    _ intent: RegistrationIntent, _ passkey: Passkey, _ account: Account, _ opened: OpenedSession?,
    recovers: Bool = false,
    in context: CallContext
  ) throws(ServiceError) -> [AuditDraft] {
    let handle = account.handle
    var drafts: [AuditDraft] = []
    switch intent {
    case .signUp(_, let code):
      var details = ["state": account.state.rawValue, "by": code == nil ? "sign-up" : "invitation"]
      if let code {
        details["roles"] = account.roles.listed
        details["invitation"] = AuditSubject.code(code).text
      }
      drafts.append(
        try draft(
          .accountCreated, by: handle, of: handle, subject: .account(handle), details: details, in: context))
    case .recovery(_, let code):
      // Only a record with this detail becomes a notice that the account was recovered.
      let effects = ["sessions": "ended", "passkeys": policy.recoveryDisablesPasskeys ? "disabled" : "kept"]
      drafts.append(
        try draft(
          .recoveryUsed, by: handle, of: handle, subject: .code(code),
          details: recovers ? effects : ["passkeys": "first"], in: context))
    case .addition: break
    }
    var details = [
      "aaguid": "\(passkey.aaguid)", "attestation": passkey.attestation.format.rawValue,
      "trust": passkey.attestation.trust.rawValue,
    ]
    details["trustReason"] = passkey.attestation.reason
    drafts.append(
      try draft(
        .credentialRegistered, by: handle, of: handle, subject: .credential(passkey.record.id), details: details,
        in: context))
    if let opened {
      drafts.append(
        try draft(
          .sessionOpened, by: handle, of: handle, subject: .session(opened.session.id),
          details: ["credential": "\(passkey.record.id)"], in: context))
    }
    return drafts
  }
}

extension RegistrationIntent {
  /// Whether the ceremony creates an account.
  var isSignUp: Bool { if case .signUp = self { true } else { false } }

  /// The code that the ceremony spends.
  var code: TokenDigest? {
    switch self {
    case .signUp(_, let code): code
    case .recovery(_, let code): code
    case .addition: nil
    }
  }
}

// Limits
//   8 transports [the standard defines six]
//   32 bytes each [the longest standard name has ten]

extension CredentialRecord {
  /// A copy of the record with at most the maximum number of transports, in the client's order.
  ///
  /// Transports are unsigned client input, and sign-in options repeat them to anyone who enters the address. Without a
  /// limit, an attacker could register an account whose options are very large.
  var withPlausibleTransports: CredentialRecord {
    var record = self
    record.transports = Array(
      transports.lazy.filter { 1...Self.maximumTransportByteCount ~= $0.rawValue.utf8.count }
        .prefix(Self.maximumTransportCount))
    return record
  }

  private static let maximumTransportCount = 8
  private static let maximumTransportByteCount = 32
}
