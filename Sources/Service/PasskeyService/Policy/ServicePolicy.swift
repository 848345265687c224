// SPDX-License-Identifier: Apache-2.0

package import WebAuthnRelyingParty

/// The service's requirements and limits, fixed at start-up.
public struct ServicePolicy: Hashable, Sendable {
  /// The rule for creating accounts.
  public var signUp = SignUp.open

  /// The names of accounts, and the form of their handles.
  public var identifiers = Identifiers()

  /// How addresses are verified, and whether mail can recover an account.
  public var contact = Contact()

  /// The lifetimes of sessions.
  public var sessions = Sessions()

  /// The reaction to a signature counter that did not increase.
  public var cloneSignal = Signals.report

  /// The reaction to a change of backup eligibility. Genuine passkeys change it when they move to another provider.
  public var backupSignal = Signals.report

  /// The effect on a sign-in or a confirmation if the current attestation policy refuses the passkey.
  public var storedAttestation = StoredAttestation.ignore

  /// When to offer to create a passkey without a dialog, after a sign-in.
  public var creationOffer = CreationOffers.never

  /// How pages should ask for passkeys in a sign-in without an account name; nil for the browser's default.
  public var uiMode: SignInUIMode?

  /// The lifetime of a sign-in that waits for the user to choose a passkey in a form (conditional mediation). Pages stay
  /// open for long, and can begin another sign-in before this one expires.
  public var conditionalLifetime = Duration.seconds(30 * 60)

  /// The lifetime of a confirmation.
  public var grantLifetime = Duration.seconds(60)

  /// How long after a session has removed the last passkey of its account it may add another one, export the account and
  /// erase it without a confirmation, which no passkey could give [long enough to make a passkey on another device, and
  /// short for a session that someone leaves open]. Zero permits nothing; an hour is the maximum.
  public var replacementPeriod = Duration.seconds(10 * 60)

  /// The lifetime of an invitation code.
  public var invitationLifetime = Duration.seconds(7 * 86_400)

  /// Whether a recovery disables the account's existing passkeys. A recovery always ends the account's sessions.
  public var recoveryDisablesPasskeys = false

  /// The lifetime of a recovery code.
  public var recoveryLifetime = Duration.seconds(86_400)

  /// The maximum number of passkeys of an account [sign-in options list them]. Each recovery code adds one more, even
  /// beyond the limit.
  public var maximumPasskeyCount = 20

  /// The maximum number of passkeys that the options of a ceremony list, newest first [anonymous clients begin
  /// ceremonies, and each credential ID may have a kilobyte]. Decoys have the same limit. A passkey beyond it can still
  /// sign in without an address.
  public var offeredPasskeyCount = 20

  /// The maximum number of devices of an account.
  public var maximumDeviceCount = 20

  /// The maximum number of sessions in a list, newest first. An account may have more.
  public var listedSessionCount = 100

  /// How long to keep client IP addresses beside the audit trail. With nil, addresses last as long as their account,
  /// and addresses in refusals without an account are kept forever, because nothing else deletes them.
  public var personalDetailRetention: Duration?

  /// The destinations of notices. The service writes a notice for each event that one of them wants.
  public var destinations: [NoticeDestination] = []

  /// Creates the default policy: open sign-up, sessions of 15 minutes, and suspicious signals are only reported.
  public init() {}

  /// Throws `service.configuration-invalid` if a setting is invalid or contradicts the relying party's.
  package func require(fitting ceremonies: CeremonyPolicy) throws(ServiceError) {
    if let fault { throw ServiceError(.configurationInvalid, fault) }
    // If the relying party itself refuses the assertion, the service gets no signal and cannot disable the passkey.
    if cloneSignal == .disable, ceremonies.signCount == .refuse {
      throw ServiceError(
        .configurationInvalid, "the clone policy 'disable' requires a relying party that reports signature counters")
    }
    if backupSignal == .disable, ceremonies.backupEligibilityChange == .refuse {
      throw ServiceError(
        .configurationInvalid, "the backup policy 'disable' requires a relying party that reports backup eligibility")
    }
  }

  /// A description of the first invalid setting; nil if the policy is valid.
  var fault: String? {
    let durations = [
      sessions.lifetime, sessions.touchInterval, grantLifetime, invitationLifetime, recoveryLifetime,
      sessions.idleLimit ?? .seconds(1), sessions.verificationLimit ?? .seconds(1),
      sessions.renewal?.tokenLifetime ?? .seconds(1), sessions.renewal?.sessionLifetime ?? .seconds(1),
      conditionalLifetime, personalDetailRetention ?? .seconds(1),
    ]
    // Timestamps have a resolution of one second, so a shorter duration would be zero.
    if durations.contains(where: { $0 < .seconds(1) }) { return "durations must be at least one second" }
    if sessions.warning < .zero { return "the warning period must not be negative" }
    if replacementPeriod < .zero || replacementPeriod > .seconds(3600) {
      return "the period for replacing the last passkey must be 0 to 3600 seconds"
    }
    if let idleLimit = sessions.idleLimit, idleLimit <= sessions.touchInterval {
      return "the idle time-out must be longer than the touch interval"
    }
    if let limit = sessions.verificationLimit, limit <= sessions.touchInterval {
      return "the period until verification must be longer than the touch interval"
    }
    if let fault = identifiers.fault ?? contact.fault(destinations) { return fault }
    if let renewal = sessions.renewal, renewal.grace < .zero || renewal.grace > .seconds(60) {
      return "the grace period must be 0 to 60 seconds"
    }
    if sessions.maximumCount < 1 || maximumPasskeyCount < 1 || offeredPasskeyCount < 1 || maximumDeviceCount < 0
      || listedSessionCount < 1
    {
      return "maximum counts must be at least 1"
    }
    return nil
  }
}

extension ServicePolicy {
  /// The rule for creating accounts.
  public enum SignUp: String, Hashable, Sendable, CaseIterable {
    /// Anyone can create an account.
    case open
    /// Creating an account requires a one-time code from an administrator.
    case invitation
    /// Anyone can create an account, but an administrator must approve it before use. An invitation code counts as
    /// approval.
    case approval
  }
}

extension ServicePolicy {
  /// The reaction to a suspicious signal about a credential. Each reaction records the signal.
  public enum Signals: String, Hashable, Sendable, CaseIterable {
    /// Marks the passkey and allows the sign-in.
    case report
    /// Refuses the sign-in.
    case refuse
    /// Refuses the sign-in, disables the passkey, and ends all sessions of the account.
    case disable
  }
}

extension ServicePolicy {
  /// The lifetimes and limits of sessions.
  public struct Sessions: Hashable, Sendable {
    /// The lifetime of a session token, counted from when it is issued. Use does not extend it.
    public var lifetime = Duration.seconds(15 * 60)

    /// The idle time-out. An idle session ends and cannot be renewed; nil means no idle time-out.
    public var idleLimit: Duration?

    /// How long a session can be unused before its user must be verified again by an assertion; nil never requires
    /// that. The session does not end: `AuthService.beginReverification(by:hints:in:)` makes it usable again.
    public var verificationLimit: Duration?

    /// Whether a pending account can hold sessions. They are valid only for requests that allow them
    /// (``AccountSession/Allowance/pendingAccount``).
    public var allowsPendingAccounts = false

    /// How long before its expiry a session is reported as about to expire.
    public var warning = Duration.seconds(120)

    /// The minimum interval between writes of a session's last use. Each request reads the session, but does not write
    /// it more often. The idle time-out has this precision.
    public var touchInterval = Duration.seconds(60)

    /// The maximum number of sessions of an account. Opening another ends the oldest. [A person has several devices; a
    /// program that signs in repeatedly must not fill the store.]
    public var maximumCount = 50

    /// The renewal of sessions; nil disables it, and users sign in again after expiry.
    public var renewal: Renewal?

    /// The lifetimes of refresh tokens and renewable sessions.
    public struct Renewal: Hashable, Sendable {
      /// The lifetime of a refresh token. Each renewal issues another one.
      public var tokenLifetime = Duration.seconds(14 * 86_400)

      /// How long after it was opened a session can be renewed.
      public var sessionLifetime = Duration.seconds(90 * 86_400)

      /// How long after its first use the same client may present a refresh token again and get the same successor
      /// tokens. [Two concurrent requests of one application can both find the session expired; RFC 9700 §4.14.2
      /// requires that later reuse revokes.] Zero disables this.
      public var grace = Duration.seconds(10)

      /// Creates the default: two weeks for a token, 90 days in total.
      public init() {}
    }

    /// Creates the default: 15 minutes, without renewal.
    public init() {}
  }
}
