// SPDX-License-Identifier: Apache-2.0

/// How long sessions last.
public struct SessionPolicy: Hashable, Sendable {
  /// How long a session's token is good, from its making on, however much it is used.
  public var lifetime = Duration.seconds(15 * 60)

  /// After how long without use a session ends, so that it cannot be renewed either; nil where it does not.
  public var idleLimit: Duration?

  /// For how long before its end a session is said to be about to end.
  public var warning = Duration.seconds(120)

  /// How much later than noted a session must have been used for that to be noted: sessions are read with each request,
  /// and written at this interval at the most. An idle limit is kept to this exactness.
  public var touchInterval = Duration.seconds(60)

  /// How many sessions an account may have. Opening another ends the oldest. [A person has some devices; a program that signs
  /// in over and over must not fill the store.]
  public var maximumCount = 50

  /// How sessions are renewed; nil where they are not, and whoever wants another one signs in again.
  public var renewal: Renewal?

  /// How sessions are renewed.
  public struct Renewal: Hashable, Sendable {
    /// How long a refresh token is good. Each renewal gives another one.
    public var tokenLifetime = Duration.seconds(14 * 86_400)

    /// After how long a session cannot be renewed any more, from its opening on.
    public var sessionLifetime = Duration.seconds(90 * 86_400)

    /// For how long after its use a refresh token may be shown again by the same client, which gets the same successors. [Two
    /// requests of one application that both find the session expired; RFC 9700 §4.14.2 demands that later reuse revokes.]
    /// Zero allows no repetition.
    public var grace = Duration.seconds(10)

    /// Two weeks for a token, 90 days in all.
    public init() {}
  }

  /// A quarter of an hour, without renewal.
  public init() {}
}
