// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// The parts of a sign-up that verify its address.

extension AuthService {
  /// Whether the address of a sign-up must be verified. An invitation, which names or trusts the person, needs no
  /// verification.
  func verificationRule(for intent: RegistrationIntent) -> EmailVerification {
    guard case .signUp(let account, code: nil) = intent, account.email != nil else { return .off }
    return policy.contact.verification
  }

  /// Stores a verified registration until its address is verified, and nothing else. A taken address takes the same work:
  /// its record accepts no code.
  func beginSignUpVerification(
    of account: Account, _ passkey: Passkey, in context: CallContext
  ) async throws(ServiceError) -> RegisteredPasskey {
    let owners = try await owners(of: account.names)
    if owners.ofUsername != nil { throw ServiceError(.signUpUsernameTaken) }
    let (start, started) = try signUpVerification(.signUp, of: account, passkey, owner: owners.ofEmail, in: context)
    _ = try await begin(start)
    return RegisteredPasskey(passkey: passkey, account: account, opened: nil, verification: started)
  }

  /// Creates the verification of a sign-up; if the address has an owner, a decoy.
  func signUpVerification(
    _ purpose: EmailCeremony.Purpose, of account: Account, _ passkey: Passkey, owner: Account?,
    in context: CallContext
  ) throws(ServiceError) -> (start: EmailCeremonyStart, started: StartedVerification) {
    guard let email = account.email else { throw ServiceError(.nameRefused, "the account has no address") }
    let isDecoy = owner != nil
    let (ceremony, started) = try newVerification(
      purpose, of: email, for: purpose == .signUp || isDecoy ? nil : account.handle, isDecoy: isDecoy,
      payload: purpose == .signUp ? PendingSignUp(account, passkey).encoded : [], at: context.time)
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
    let passkey = pending.passkey
    let new = admitsSession(account) ? try newSession(of: account, with: passkey.record.id, in: context) : nil
    let verified = try draft(
      .emailVerified, by: account.handle, of: account.handle, subject: .emailCeremony(ceremony.id), in: context)
    var commit = RegistrationCommit(
      owner: .newAccount(account), passkey: passkey, code: nil, opening: new?.opening,
      maximumPasskeyCount: policy.maximumPasskeyCount, time: context.time,
      audit: try drafts(.signUp(account, code: nil), passkey, account, new?.opened, in: context) + [verified])
    commit.completedEmail = ceremony.id
    commit.client = knownClient(of: account.handle, in: context)
    let outcome = try await stored(async: await storage.register(commit))
    switch outcome {
    case .committed(let account):
      return RegisteredPasskey(passkey: passkey, account: account, opened: new?.opened)
    // The code proves that the client may know about this mailbox.
    case .emailTaken: throw ServiceError(.accountEmailTaken)
    default: throw outcome.error
    }
  }
}
