// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension NoticeEvent {
  /// Whether the owner of an account cannot switch off the notice: it carries a code, or warns of an attack.
  package var isMandatory: Bool { Self.mandatory.contains(self) }

  private static let mandatory: Set<NoticeEvent> = [
    .signUpAttempted, .recoveryRequested, .recoveryCancelled, .accountRecovered, .emailVerificationRequested,
    .emailChangeRequested, .emailChanged, .emailReplaced, .credentialRegistered, .credentialDeleted,
    .credentialDisabled,
    .sessionReused, .securityAlert,
  ]

  /// The events whose mail needs an email ceremony: for its address, and for its code.
  static let withCeremony: Set<NoticeEvent> = [
    .emailVerificationRequested, .emailReplaced, .recoveryRequested, .accountInvited,
  ]
}

extension NotificationPreferences {
  /// Whether the owner wants the notices of an event. A choice can be named after the event, such as `session.opened`, or
  /// after its area, such as `session.*`; the first wins.
  package func allows(_ event: NoticeEvent) -> Bool {
    let area = event.rawValue.prefix { (character) in character != "." }
    return allows(event.rawValue, default: allows("\(area).*"))
  }
}

extension Notice {
  /// The email ceremony that the notice is about.
  var emailCeremony: EmailCeremonyID? {
    guard NoticeEvent.withCeremony.contains(event), let data = try? JSON.parse(self.data),
      let text = try? data[NoticeMember.ceremony.name]?.string
    else { return nil }
    return EmailCeremonyID(text)
  }
}
