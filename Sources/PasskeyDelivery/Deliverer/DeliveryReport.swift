// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// What a deliverer reports for logs and metrics.
public enum DeliveryReport: Sendable {
  /// An attempt to deliver a notice has ended, after this time.
  case attempted(OutboxItem, Result, Duration)
  /// The store failed. The deliverer goes on.
  case storeFailed(ServiceError)

  /// The result of an attempt.
  public enum Result: Hashable, Sendable {
    /// All recipients have the notice.
    case delivered
    /// There is no recipient: the account has no such device, or was erased. The notice leaves the outbox.
    case noRecipient
    /// The notice is tried again later.
    case retried(reason: String)
    /// The notice became a dead letter.
    case dead(reason: String)

    /// The name of the result, for labels of metrics.
    public var name: String {
      switch self {
      case .delivered: "delivered"
      case .noRecipient: "no-recipient"
      case .retried: "retried"
      case .dead: "dead"
      }
    }
  }
}
