// SPDX-License-Identifier: Apache-2.0

/// The lifetimes and limits of sessions.
public struct SessionPolicy: Hashable, Sendable {
  /// The lifetime of a session token, counted from when it is issued. Use does not extend it.
  public var lifetime = Duration.seconds(15 * 60)

  /// The idle time-out. An idle session ends and cannot be renewed; nil means no idle time-out.
  public var idleLimit: Duration?

  /// How long before its expiry a session is reported as about to expire.
  public var warning = Duration.seconds(120)

  /// The minimum interval between writes of a session's last use. Each request reads the session, but does not write it
  /// more often. The idle time-out has this precision.
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
    /// tokens. [Two concurrent requests of one application can both find the session expired; RFC 9700 §4.14.2 requires
    /// that later reuse revokes.] Zero disables this.
    public var grace = Duration.seconds(10)

    /// Creates the default: two weeks for a token, 90 days in total.
    public init() {}
  }

  /// Creates the default: 15 minutes, without renewal.
  public init() {}
}
