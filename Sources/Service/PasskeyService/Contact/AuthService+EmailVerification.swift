// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension AuthService {
  /// Verifies an address with the code from a mail, and does what the verification is for: it commits a sign-up, issues
  /// the code for one, marks the account's address as verified, or changes the address.
  ///
  /// - Parameters:
  ///   - code: The code from the mail.
  ///   - token: The token of the client that began the verification.
  ///   - context: The time and origin of the request.
  /// - Returns: The effect of the code. A new account gets a session if its state admits one.
  /// - Throws: `email.verification-unknown` if the verification is finished, expired or another client's;
  ///   `email.code-refused` if the code is wrong, with ``ServiceError/attemptsLeft``; `account.email-taken`,
  ///   `sign-up.username-taken` or `sign-up.credential-known` if another account was faster; or a storage code.
  public func verifyEmail(
    _ code: EmailCode, token: Token, in context: CallContext
  ) async throws(ServiceError) -> VerifiedEmail {
    let ceremony = try await verification(token, at: context.time)
    // A decoy takes the same work, and no code is correct.
    let isCorrect = emailCode(of: ceremony).isSame(as: code)
    guard isCorrect, !ceremony.isDecoy else { throw try await refusal(of: ceremony, in: context) }
    if ceremony.purpose == .newAddress { return try await admitSignUp(ceremony, in: context) }
    guard ceremony.purpose == .signUp else { return try await completeVerification(ceremony, in: context) }
    do throws(ServiceError) {
      return .registered(try await completeSignUp(ceremony, in: context))
    } catch {
      await recordRefusal(
        .emailVerified, of: nil, subject: .emailCeremony(ceremony.id), error: error, in: context)
      throw error
    }
  }

  /// Writes the mail of a pending verification again, with the same code, and prolongs the verification: up to four times
  /// ``ServicePolicy/Contact/codeLifetime`` in total.
  ///
  /// - Returns: The same token, with the current expiry.
  /// - Throws: `email.verification-unknown`; or a storage code.
  package func resendVerification(
    _ token: Token, in context: CallContext
  ) async throws(ServiceError) -> StartedVerification {
    let ceremony = try await verification(token, at: context.time)
    let lifetime = policy.contact.codeLifetime
    let expiry = max(ceremony.expiry, min(context.time + lifetime, ceremony.created + lifetime * Self.lifetimeCount))
    // The owner is looked up for every ceremony, because a decoy needs it.
    let owner = try await stored(async: await storage.account(.email(ceremony.email)))
    let repetition = EmailRepetition(
      ceremony, until: expiry, limit: mailLimit(of: ceremony.email, at: context.time),
      mail: [try mailDraft(of: ceremony, owner: owner, in: context)])
    let isPending = try await stored(async: await storage.repeatMail(repetition))
    guard isPending else { throw ServiceError(.emailVerificationUnknown) }
    return StartedVerification(token: token, expiry: expiry)
  }

  /// Begins to verify the address of the signed-in account.
  ///
  /// - Returns: The token to present with the code from the mail.
  /// - Throws: `email.already-verified`; `account.name-refused` if the account has no address; `email.unavailable` if the
  ///   service sends no mail; `account.unknown` if the account was erased meanwhile; or a storage code.
  package func beginVerification(
    by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> StartedVerification {
    if session.account.emailVerified != nil { throw ServiceError(.emailAlreadyVerified) }
    return try await beginVerification(of: session.account, in: context)
  }

  /// Begins to verify the address of an account.
  func beginVerification(
    of account: Account, in context: CallContext
  ) async throws(ServiceError) -> StartedVerification {
    try requireMail()
    guard let email = account.email else { throw ServiceError(.nameRefused, "the account has no address") }
    let (ceremony, started) = try newVerification(
      .verification, of: email, for: account.handle, payload: context.languagePayload, at: context.time)
    let start = EmailCeremonyStart(
      ceremony, limit: mailLimit(of: email, at: context.time),
      mail: [try mailDraft(of: ceremony, owner: account, in: context)])
    _ = try await stored(async: await storage.begin(start)).get()
    return started
  }

  // A client prolongs a verification by three lifetimes [an hour by default].
  private static let lifetimeCount = 4

  /// Returns the pending verification of a token.
  private func verification(_ token: Token, at now: UnixTime) async throws(ServiceError) -> EmailCeremony {
    let found = try await stored(async: await storage.emailCeremony(token: token.digest))
    guard let found, now <= found.expiry else { throw ServiceError(.emailVerificationUnknown) }
    switch found.purpose {
    case .signUp, .newAddress, .verification, .addressChange: return found
    case .recovery, .replacedAddress, .invitation: throw ServiceError(.emailVerificationUnknown)
    }
  }

  /// Counts a wrong code and returns the error.
  private func refusal(
    of ceremony: EmailCeremony, in context: CallContext
  ) async throws(ServiceError) -> ServiceError {
    let audit = [
      try draft(
        .emailVerified, by: nil, of: ceremony.account, subject: .emailCeremony(ceremony.id),
        outcome: ServiceError.Code.emailCodeRefused.rawValue, in: context)
    ]
    let left = try await stored(
      async: await storage.countWrongCode(
        for: ceremony, atMost: policy.contact.codeAttempts, at: context.time, audit: audit))
    guard let left else { return ServiceError(.emailVerificationUnknown) }
    var error = ServiceError(.emailCodeRefused)
    error.attemptsLeft = left
    return error
  }

  /// Marks the address of an account as verified, or changes it.
  private func completeVerification(
    _ ceremony: EmailCeremony, in context: CallContext
  ) async throws(ServiceError) -> VerifiedEmail {
    let now = context.time
    guard let handle = ceremony.account else { throw ServiceError(.emailVerificationUnknown) }
    let completion: EmailCompletion
    if ceremony.purpose == .verification {
      let verified = try draft(
        .emailVerified, by: handle, of: handle, subject: .emailCeremony(ceremony.id), in: context)
      completion = EmailCompletion(ceremony, at: now, audit: [verified])
    } else {
      var farewell = ceremony
      farewell.id = try EmailCeremonyID(at: now, random: random)
      farewell.token = try Token(at: now, random: random).digest
      farewell.purpose = .replacedAddress
      farewell.expiry = now + Self.farewellLifetime
      let changed = try draft(
        .emailChanged, by: handle, of: handle, subject: .emailCeremony(farewell.id), in: context)
      completion = EmailCompletion(ceremony, farewell: farewell, at: now, audit: [changed])
    }
    let account = try await stored(async: await storage.complete(completion)).get()
    return ceremony.purpose == .verification ? .verified(account) : .changed(account)
  }

  // 1 day [the deliverer tries for about ten hours to send a mail]
  private static let farewellLifetime = Duration.seconds(86_400)
}
