// SPDX-License-Identifier: Apache-2.0

extension ServicePolicy {
  /// The rules for email addresses: how they are verified, and whether mail can recover an account.
  public struct Contact: Hashable, Sendable {
    /// When the address of a new account must be verified.
    public var verification = Contact.EmailVerification.off

    /// The lifetime of a code that verifies an address.
    public var codeLifetime = Duration.seconds(15 * 60)

    /// The number of wrong codes that end a verification.
    public var codeAttempts = 5

    /// The maximum number of mails with a code, or about a taken address, that one address receives within an hour.
    /// Beyond it, the service answers as before and writes no mail.
    public var mailsPerRecipient = 5

    /// How the owner of an account without a usable passkey gets access again.
    public var recovery = Contact.EmailRecovery.administrator

    /// How invitations reach their addresses.
    public var invitations = Contact.InvitationDelivery.administrator

    /// Creates the default policy: no verification, and codes from administrators only.
    public init() {}

    /// A description of the first invalid setting; nil if the policy is valid.
    func fault(_ destinations: [NoticeDestination]) -> String? {
      if codeLifetime < .seconds(1) { return "durations must be at least one second" }
      if codeAttempts < 1 || mailsPerRecipient < 1 { return "maximum counts must be at least 1" }
      if case .email(let waiting) = recovery {
        if waiting < .zero { return "the waiting period of a recovery must not be negative" }
        if destinations.names(wanting: .recoveryRequested).isEmpty {
          return "recovery by mail requires a destination for \(NoticeEvent.recoveryRequested)"
        }
      }
      if invitations == .email, destinations.names(wanting: .accountInvited).isEmpty {
        return "invitations by mail require a destination for \(NoticeEvent.accountInvited)"
      }
      if verification != .off, destinations.names(wanting: .emailVerificationRequested).isEmpty {
        return "verification of addresses requires a destination for \(NoticeEvent.emailVerificationRequested)"
      }
      return nil
    }
  }
}

extension ServicePolicy.Contact {
  /// When the address of a new account must be verified. It does not apply to accounts of an invitation that names the
  /// address or of an administrator, nor to accounts that existed before the policy.
  public enum EmailVerification: String, Hashable, Sendable, CaseIterable {
    /// Before the account is created. Until then the store holds only the pending verification, so an unverified
    /// sign-up occupies no address, and no response reveals whether an address has an account.
    case required
    /// Before the first sign-in. The account is created at once, so that an administrator can approve it meanwhile. Its
    /// second step, the sign-in, reveals what ``required`` does not: whether the address was free.
    case beforeFirstUse = "before-first-use"
    /// Never.
    case off
  }
}

extension ServicePolicy.Contact {
  /// How the owner of an account without a usable passkey gets access again. An administrator can always issue a code.
  public enum EmailRecovery: Hashable, Sendable {
    /// Only with a code from an administrator.
    case administrator
    /// Also with a code that is mailed on request. It is valid after the waiting period, in which the owner can cancel
    /// the recovery.
    case email(waiting: Duration)
  }
}

extension ServicePolicy.Contact {
  /// How invitations reach their addresses. An administrator can always hand over a code.
  public enum InvitationDelivery: Hashable, Sendable {
    /// Only from hand to hand.
    case administrator
    /// Also by mail, which verifies the address of the account
    /// (``AuthService/inviteByMail(_:roles:by:confirmation:in:)``).
    case email
  }
}
