// SPDX-License-Identifier: Apache-2.0

/// What a service demands and allows, chosen once.
public struct ServicePolicy: Hashable, Sendable {
  /// Who may make an account.
  public var signUp = SignUpPolicy.open

  /// How long sessions last.
  public var sessions = SessionPolicy()

  /// What happens when a signature counter does not go up.
  public var cloneSignal = SignalPolicy.report

  /// What happens when a passkey says otherwise than before that it may be backed up. Real ones do, when they move to
  /// another provider.
  public var backupSignal = SignalPolicy.report

  /// How long a confirmation is good for its act.
  public var grantLifetime = Duration.seconds(60)

  /// How long an invitation is good.
  public var invitationLifetime = Duration.seconds(7 * 86_400)

  /// Whether a recovery disables the passkeys that the account had. In either case it ends the account's sessions.
  public var recoveryDisablesPasskeys = false

  /// How long a recovery code is good.
  public var recoveryLifetime = Duration.seconds(86_400)

  /// How many passkeys an account may have [every one of them is named in the options of a sign-in]. A recovery code gives
  /// one more all the same.
  public var maximumPasskeyCount = 20

  /// How many passkeys the options of a ceremony name, of an account's newest [a client begins ceremonies without proof,
  /// and each credential id may have a kilobyte]. Decoys are drawn with the same limit. A passkey beyond it signs in without
  /// an address.
  public var offeredPasskeyCount = 20

  /// How many devices an account may have.
  public var maximumDeviceCount = 20

  /// How many sessions are listed, of the newest. There may be more.
  public var listedSessionCount = 100

  /// For how long addresses are kept beside the audit trail. Where it is nil they are kept as long as the account, and those
  /// of requests that were refused to nobody in particular for ever: nothing else deletes those.
  public var personalDetailRetention: Duration?

  /// Open to whoever comes, with sessions of a quarter of an hour; what is suspicious is reported.
  public init() {}

  /// What is wrong with it, in words; nil for nothing.
  var fault: String? {
    let durations = [
      sessions.lifetime, sessions.touchInterval, grantLifetime, invitationLifetime, recoveryLifetime,
      sessions.idleLimit ?? .seconds(1), sessions.renewal?.tokenLifetime ?? .seconds(1),
      sessions.renewal?.sessionLifetime ?? .seconds(1), personalDetailRetention ?? .seconds(1),
    ]
    // Moments are whole seconds here: a shorter duration would be none.
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
