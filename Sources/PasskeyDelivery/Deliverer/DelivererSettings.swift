// SPDX-License-Identifier: Apache-2.0

/// The limits of a deliverer.
public struct DelivererSettings: Hashable, Sendable {
  /// How long a claimed notice belongs to its deliverer. It must be longer than a sender takes, all devices of an account
  /// together. After it, another deliverer may send the notice.
  public var lease = Duration.seconds(60)

  /// The number of notices that are sent at once to one destination, each to another account.
  public var concurrency = 16

  /// How often to look for notices that other processes wrote, and for those due after a failure. Notices of this process
  /// are sent at once.
  public var pollInterval = Duration.seconds(1)

  /// The pauses between attempts.
  public var backoff = Backoff()

  /// Creates the default settings.
  public init() {}
}
