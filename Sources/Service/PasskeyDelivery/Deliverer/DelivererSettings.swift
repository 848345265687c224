// SPDX-License-Identifier: Apache-2.0

/// The limits of a deliverer.
public struct DelivererSettings: Hashable, Sendable {
  /// The time for which a deliverer claims a notice. Afterwards another deliverer may send the notice. It must be
  /// longer than sending takes, to all devices of an account together.
  public var lease = Duration.seconds(60)

  /// The maximum number of notices that are sent to one destination at the same time, each of a different account.
  public var concurrency = 16

  /// The maximum number of these notices that strangers may cause (``NoticeRank/stranger``). [A quarter stays free for
  /// users' codes while a mail server is slow.]
  var strangerConcurrency: Int { max(1, concurrency - concurrency / 4) }

  /// The interval at which the deliverer polls for notices of other processes and for retries. Notices of this process
  /// are sent immediately.
  public var pollInterval = Duration.seconds(1)

  /// The pauses between attempts.
  public var backoff = Backoff()

  // 10 s [a webhook's time limit; service managers kill a program after some 90 s]
  /// How long a deliverer that is stopped waits for running attempts.
  public var stoppingGrace = Duration.seconds(10)

  /// Creates the default settings.
  public init() {}
}
