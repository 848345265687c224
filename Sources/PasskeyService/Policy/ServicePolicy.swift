// SPDX-License-Identifier: Apache-2.0

/// The service's requirements and limits, fixed at start-up.
public struct ServicePolicy: Hashable, Sendable {
  /// The rule for creating accounts.
  public var signUp = SignUpPolicy.open

  /// The lifetimes of sessions.
  public var sessions = SessionPolicy()

  /// The reaction to a signature counter that did not increase.
  public var cloneSignal = SignalPolicy.report

  /// The reaction to a change of backup eligibility. Genuine passkeys change it when they move to another provider.
  public var backupSignal = SignalPolicy.report

  /// The lifetime of a confirmation.
  public var grantLifetime = Duration.seconds(60)

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

  /// Creates the default policy: open sign-up, sessions of 15 minutes, and suspicious signals are only reported.
  public init() {}

  /// A description of the first invalid setting; nil if the policy is valid.
  var fault: String? {
    let durations = [
      sessions.lifetime, sessions.touchInterval, grantLifetime, invitationLifetime, recoveryLifetime,
      sessions.idleLimit ?? .seconds(1), sessions.renewal?.tokenLifetime ?? .seconds(1),
      sessions.renewal?.sessionLifetime ?? .seconds(1), personalDetailRetention ?? .seconds(1),
    ]
    // Timestamps have a resolution of one second, so a shorter duration would be zero.
    if durations.contains(where: { $0 < .seconds(1) }) { return "durations of a second at least" }
    if sessions.warning < .zero { return "a warning of no time at least" }
    if let idleLimit = sessions.idleLimit, idleLimit <= sessions.touchInterval {
      return "an idle limit longer than the interval at which use is noted"
    }
    if let renewal = sessions.renewal, renewal.grace < .zero || renewal.grace > .seconds(60) {
      return "a grace period of a minute at most"
    }
    if sessions.maximumCount < 1 || maximumPasskeyCount < 1 || offeredPasskeyCount < 1 || maximumDeviceCount < 0
      || listedSessionCount < 1
    {
      return "limits that let one in"
    }
    return nil
  }
}
