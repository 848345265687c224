// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// Sends notices to one destination, such as a webhook, a mail server or a push service.
///
/// The deliverer calls a sender from several tasks concurrently, but sends notices of one account one after another. A
/// notice can be sent more than once, always with the same ``/PasskeyService/Notice/id``.
public protocol NoticeSender: Sendable {
  /// The kind of recipient that the deliverer looks up for each notice.
  var audience: NoticeAudience { get }

  /// Sends a notice once, without retries, and returns the result. The sender applies its own time-out.
  func send(_ notice: OutgoingNotice) async -> DeliveryResult
}

/// The kind of recipient that a destination needs.
public enum NoticeAudience: Hashable, Sendable {
  /// The destination itself, such as a webhook. It receives every notice.
  case endpoint
  /// The email address of the account.
  case mail
  /// The account's devices that are registered with this push service. The notice is sent to each of them.
  case devices(Device.PushService)
}

/// A notice with its recipient, which the deliverer looks up immediately before sending.
public struct OutgoingNotice: Sendable {
  /// The notice.
  public var notice: Notice

  /// The recipient.
  public var recipient: NoticeRecipient

  /// The number of failed attempts before this one.
  public var failedAttempts: Int

  /// Creates an outgoing notice.
  public init(_ notice: Notice, to recipient: NoticeRecipient, failedAttempts: Int = 0) {
    self.notice = notice
    self.recipient = recipient
    self.failedAttempts = failedAttempts
  }
}

/// The recipient of a notice.
public enum NoticeRecipient: Sendable {
  /// The destination itself.
  case endpoint
  /// An email address, its account, and the code that the message must contain. The account is nil if the
  /// address has none; a message may show its names. The code is nil if the message needs none.
  case mail(EmailAddress, account: Account?, code: MailedCode?)
  /// A device.
  case device(Device)
}

/// The result of sending a notice once.
///
/// A reason is stored and logged: it must not contain addresses, tokens or message bodies.
public enum DeliveryResult: Hashable, Sendable {
  /// The recipient accepted the notice.
  case delivered
  /// Sending failed and may succeed later. The deliverer tries again after `after`, or after its own backoff if that is
  /// nil or shorter.
  case retry(after: Duration?, reason: String)
  /// Sending failed and cannot succeed later. The notice becomes a dead letter.
  case rejected(reason: String)
  /// The device no longer exists (APNs 410, FCM `UNREGISTERED`). The deliverer revokes it.
  case gone
}
