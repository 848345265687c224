// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// A report of a deliverer, for logs and metrics.
public enum DeliveryReport: Sendable {
  /// An attempt to deliver a notice has ended: its result and duration.
  case attempted(Notice, to: DestinationName, Result, Duration)
  /// The store failed. The deliverer continues.
  case storeFailed(ServiceError)

  /// The result of an attempt.
  public enum Result: Hashable, Sendable {
    /// All recipients have received the notice.
    case delivered
    /// There is no recipient, because the account has no such device or was erased. The notice is deleted.
    case noRecipient
    /// Delivery failed and will be retried.
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
