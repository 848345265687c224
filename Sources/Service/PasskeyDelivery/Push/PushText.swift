// SPDX-License-Identifier: Apache-2.0

/// The text that a push message shows for an event.
public struct PushText: Hashable, Sendable {
  /// The title.
  public var title: String

  /// The text below the title.
  public var body: String

  /// Creates a text.
  public init(title: String, body: String) {
    self.title = title
    self.body = body
  }

  /// The texts for the events of this service, by event name. Events without a text are sent as background messages,
  /// which wake the application and show nothing.
  public static let standard: [String: PushText] = [
    "session.expiring": PushText(title: "Your session ends soon", body: "Open the app to stay signed in."),
    "session.new-client": PushText(
      title: "New sign-in", body: "Your account was used with a passkey or from a place that is new to it."),
    "session.reused": PushText(
      title: "Signed out for your safety", body: "A sign-in token was used twice. Sign in again."),
    "credential.registered": PushText(title: "New passkey", body: "A passkey was added to your account."),
    "credential.deleted": PushText(title: "Passkey removed", body: "A passkey was removed from your account."),
    "account.approved": PushText(title: "Account approved", body: "You can sign in now."),
    "account.enabled": PushText(title: "Account enabled", body: "You can sign in again."),
    "account.recovered": PushText(title: "Account recovered", body: "Your account got a new passkey by recovery."),
    "account.recovery-requested": PushText(
      title: "Recovery requested", body: "If it was not you, open the app and cancel the recovery of your account."),
    "account.recovery-cancelled": PushText(
      title: "Recovery cancelled", body: "The recovery of your account was cancelled."),
    "email.change-requested": PushText(
      title: "New email address requested", body: "If it was not you, end all sessions and check your passkeys."),
    "email.changed": PushText(title: "Email address changed", body: "Your account has another email address."),
    "security.alert": PushText(title: "Security alert", body: "Check your account's passkeys and sessions."),
  ]
}

/// The lifetimes of push messages at the push service.
enum PushMessage {
  // 1 day [a notice about an account is of little use later; a phone is rarely off for longer]
  static let lifetime: Duration = .seconds(86_400)
  // 2 minutes [the warning is useless once the session has ended]
  static let shortLifetime: Duration = .seconds(120)

  static func lifetime(of event: String) -> Duration { event == "session.expiring" ? shortLifetime : lifetime }
}
