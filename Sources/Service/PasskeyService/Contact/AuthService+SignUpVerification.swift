// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// The parts of a sign-up that verify its address.

/// The duty of a sign-up to verify its address.
struct AddressRule {
  /// When the address must be verified.
  var verification = ServicePolicy.Contact.EmailVerification.off
  /// The invitation whose mail has verified the address.
  var mailed: EmailCeremonyID?
  /// The record of the verification; nil if the address is not verified.
  var proof: AuditSubject?

  /// Whether the code is no invitation: the person asked for it.
  var isOwn: Bool { proof != nil && mailed == nil }
}

extension AuthService {
  /// Returns the rule for the address of a sign-up. An invitation that names the address needs no verification; with any
  /// other one, the person chose the address.
  func addressRule(
    for intent: RegistrationIntent, in context: CallContext
  ) async throws(ServiceError) -> AddressRule {
    guard case .signUp(let account, let code) = intent, account.email != nil else { return AddressRule() }
    let unverified = AddressRule(verification: policy.contact.verification)
    guard let code else { return unverified }
    guard let issued = try await stored(async: await storage.code(code)) else { throw ServiceError(.signUpCodeRefused) }
    if issued.purpose == .signUp { return AddressRule(proof: .code(code)) }
    guard issued.email != nil else { return unverified }
    let mailed = try await stored(async: await storage.emailCeremony(token: code))
    guard let mailed, mailed.purpose == .invitation, context.time <= mailed.expiry else { return AddressRule() }
    return AddressRule(mailed: mailed.id, proof: .emailCeremony(mailed.id))
  }

  /// Begins to verify the address of a new account, before there is a passkey. ``verifyEmail(_:token:in:)`` then issues the
  /// code with which the registration begins.
  ///
  /// Every address gets the same response after the same work. The owner of a taken one is informed.
  ///
  /// - Returns: The token to present with the code from the mail.
  /// - Throws: `sign-up.invitation-required` if the policy requires one; `email.unavailable` unless the policy requires
  ///   verified addresses; or a storage code.
  package func beginSignUp(
    at email: EmailAddress, in context: CallContext
  ) async throws(ServiceError) -> StartedVerification {
    if policy.signUp == .invitation { throw ServiceError(.signUpInvitationRequired) }
    guard policy.contact.verification == .required else {
      throw ServiceError(.emailUnavailable, "a sign-up does not begin with a mail")
    }
    let owner = try await stored(async: await storage.account(.email(email)))
    let (ceremony, started) = try newVerification(
      .newAddress, of: email, for: nil, isDecoy: owner != nil, payload: context.languagePayload, at: context.time)
    let start = EmailCeremonyStart(
      ceremony, limit: mailLimit(of: email, at: context.time),
      mail: [try mailDraft(of: ceremony, owner: owner, in: context)])
    _ = try await stored(async: await storage.begin(start))
    return started
  }

  /// Issues the code with which a sign-up at a verified address goes on.
  func admitSignUp(_ ceremony: EmailCeremony, in context: CallContext) async throws(ServiceError) -> VerifiedEmail {
    let code = try OneTimeCode(random: random)
    let issued = IssuedCode(
      digest: code.digest, purpose: .signUp, email: ceremony.email, created: context.time,
      expiry: context.time + policy.contact.codeLifetime)
    let verified = try draft(
      .emailVerified, by: nil, of: nil, subject: .emailCeremony(ceremony.id), in: context)
    let isIssued = try await stored(
      async: await storage.complete(ceremony, issuing: issued, at: context.time, audit: [verified].withoutNotices))
    guard isIssued else { throw ServiceError(.emailVerificationUnknown) }
    return .admitted(code, expiry: issued.expiry)
  }

  /// Stores a verified registration until its address is verified, and nothing else. A taken address takes the same work:
  /// its record accepts no code. An invitation is spent when the address is verified.
  func beginSignUpVerification(
    of account: Account, _ passkey: Passkey, code: TokenDigest?, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    let owners = try await owners(of: account.names)
    if owners.ofUsername != nil { throw ServiceError(.signUpUsernameTaken) }
    let (start, started) = try signUpVerification(
      .signUp, of: account, passkey, code: code, owner: owners.ofEmail, in: context)
    _ = try await stored(async: await storage.begin(start))
    return RegisteredPasskey(passkey: passkey, account: account, opened: nil, verification: started)
  }

  /// Creates the verification of a sign-up; if the address has an owner, a decoy.
  func signUpVerification(
    _ purpose: EmailCeremony.Purpose, of account: Account, _ passkey: Passkey, code: TokenDigest? = nil,
    owner: Account?, in context: CallContext
  ) throws(ServiceError) -> (start: EmailCeremonyStart, started: StartedVerification) {
    guard let email = account.email else { throw ServiceError(.nameRefused, "the account has no address") }
    let isDecoy = owner != nil
    let (ceremony, started) = try newVerification(
      purpose, of: email, for: purpose == .signUp || isDecoy ? nil : account.handle, isDecoy: isDecoy,
      payload: purpose == .signUp
        ? PendingSignUp(account, passkey, code: code, language: context.language).encoded : context.languagePayload,
      at: context.time)
    let start = EmailCeremonyStart(
      ceremony, limit: mailLimit(of: email, at: context.time),
      mail: [try mailDraft(of: ceremony, owner: owner, in: context)])
    return (start, started)
  }

  /// Creates the account and the passkey of a pending sign-up.
  func completeSignUp(
    _ ceremony: EmailCeremony, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    guard let pending = PendingSignUp(parsing: ceremony.payload) else { throw ServiceError(.emailVerificationUnknown) }
    var account = pending.account
    (account.created, account.updated, account.emailVerified) = (context.time, context.time, context.time)
    var context = context
    context.language = pending.language ?? context.language
    account.locale = account.locale.completed(by: context) ?? account.locale
    let passkey = pending.passkey
    let new = admitsSession(account) ? try newSession(of: account, with: passkey.record.id, in: context) : nil
    let verified = try draft(
      .emailVerified, by: account.handle, of: account.handle, subject: .emailCeremony(ceremony.id), in: context)
    var commit = RegistrationCommit(
      owner: .newAccount(account), passkey: passkey, code: pending.code, opening: new?.opening,
      maximumPasskeyCount: policy.maximumPasskeyCount, time: context.time,
      audit: try drafts(.signUp(account, code: pending.code), passkey, account, new?.opened, in: context) + [verified])
    commit.completedEmail = ceremony.id
    commit.client = knownClient(of: account.handle, in: context)
    do throws(ServiceError) {
      let account = try await stored(async: await storage.register(commit)).get()
      return RegisteredPasskey(passkey: passkey, account: account, opened: new?.opened)
    } catch {
      // The code proves that the client may know about this mailbox.
      throw error.code == .signUpEmailTaken ? ServiceError(.accountEmailTaken) : error
    }
  }
}
