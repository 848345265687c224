// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// The parts that all email ceremonies share: their records, codes and mails.

extension AuthService {
  /// Creates the record of a verification, and the token for its client.
  func newVerification(
    _ purpose: EmailCeremony.Purpose, of email: EmailAddress, for account: UserHandle?, isDecoy: Bool = false,
    payload: [UInt8] = [], at now: UnixTime
  ) throws(ServiceError) -> (ceremony: EmailCeremony, started: StartedVerification) {
    let token = try Token(at: now, random: random)
    let expiry = now + policy.contact.codeLifetime
    let ceremony = EmailCeremony(
      id: try EmailCeremonyID(at: now, random: random), purpose: purpose, token: token.digest, account: account,
      email: email, isDecoy: isDecoy, payload: payload, created: now, expiry: expiry)
    return (ceremony, StartedVerification(token: token, expiry: expiry))
  }

  /// Returns the limit on the mails of one address.
  func mailLimit(of email: EmailAddress, at now: UnixTime) -> MailLimit {
    let tag = HMAC.tag(of: Array("mails to \(email.text)".utf8), key: mailKey)
    return MailLimit(policy.contact.mailsPerRecipient, of: Base64URL.encode(tag), at: now, until: now + Self.mailPeriod)
  }

  // 1 hour [a person who mistypes an address asks for a few mails within minutes]
  private static let mailPeriod = Duration.seconds(3_600)

  /// Returns the draft whose notice is the mail of a verification: to its address, or for a decoy a warning to the owner of the
  /// address. Mails of sign-ups are strangers', whether the address is free or taken.
  func mailDraft(
    of ceremony: EmailCeremony, owner: Account?, in context: CallContext
  ) throws(ServiceError) -> AuditDraft {
    let subject = AuditSubject.emailCeremony(ceremony.id)
    var draft =
      ceremony.isDecoy
      ? try draft(.signUpAttempted, by: nil, of: owner?.handle, subject: subject, in: context)
      : try draft(
        .emailVerificationRequested, by: ceremony.account, of: ceremony.account, subject: subject,
        details: ["purpose": ceremony.purpose.rawValue], in: context)
    if isOfStranger(ceremony, owner: owner) {
      for place in draft.notices.indices { draft.notices[place].rank = .stranger }
    }
    return draft
  }

  /// Whether a verification belongs to a sign-up, so that anyone can begin any number of them.
  private func isOfStranger(_ ceremony: EmailCeremony, owner: Account?) -> Bool {
    switch ceremony.purpose {
    case .signUp, .newAddress: true
    case .verification: ceremony.account == nil || owner.map(awaitsVerification) ?? true
    case .addressChange, .recovery, .replacedAddress, .invitation: false
    }
  }

  /// Refuses to begin a verification whose code no destination would send.
  func requireMail() throws(ServiceError) {
    if policy.destinations.names(wanting: .emailVerificationRequested).isEmpty {
      throw ServiceError(.emailUnavailable, "no destination for \(NoticeEvent.emailVerificationRequested)")
    }
  }

  /// Whether the account cannot be used before its address is verified.
  func awaitsVerification(_ account: Account) -> Bool {
    account.awaitsVerification && policy.contact.verification != .off
  }
}

// MARK: Codes

extension AuthService {
  /// Derives the code of a verification.
  func emailCode(of ceremony: EmailCeremony) -> EmailCode {
    EmailCode(derivedFrom: mailTag("\(ceremony.purpose.rawValue)", ceremony.id))
  }

  /// Derives the code with which the owner of an account registers a passkey.
  func recoveryCode(_ id: EmailCeremonyID) -> OneTimeCode {
    OneTimeCode(derivedFrom: mailTag(EmailCeremony.Purpose.recovery.rawValue, id))
  }

  /// Derives the code of an invitation that is mailed.
  func invitationCode(_ id: EmailCeremonyID) -> OneTimeCode {
    OneTimeCode(derivedFrom: mailTag(EmailCeremony.Purpose.invitation.rawValue, id))
  }

  /// Derives the code that cancels a recovery.
  func cancellationCode(_ id: EmailCeremonyID) -> OneTimeCode {
    OneTimeCode(derivedFrom: mailTag("cancellation", id))
  }

  private func mailTag(_ label: String, _ id: EmailCeremonyID) -> [UInt8] {
    HMAC.tag(of: id.bytes + Array(label.utf8), key: mailKey)
  }

  /// Returns the codes and times for the mail of a ceremony; nil if its mail has none.
  func mailedCode(of ceremony: EmailCeremony) -> MailedCode? {
    switch ceremony.purpose {
    case .signUp, .newAddress, .verification, .addressChange:
      MailedCode(emailCode(of: ceremony).exposedText, expiry: ceremony.expiry, language: ceremony.language)
    case .recovery:
      MailedCode(
        recoveryCode(ceremony.id).exposedText, cancellation: cancellationCode(ceremony.id).exposedText,
        start: ceremony.notBefore, expiry: ceremony.expiry, language: ceremony.language)
    case .invitation:
      MailedCode(invitationCode(ceremony.id).exposedText, expiry: ceremony.expiry, language: ceremony.language)
    case .replacedAddress: nil
    }
  }
}
