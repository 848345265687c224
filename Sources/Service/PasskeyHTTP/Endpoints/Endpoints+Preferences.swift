// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService

extension Endpoints {
  static let preferences = [
    Endpoint(
      name: .preferences, summary: "Show the notification preferences", answers: [.init()],
      access: .session { try await $0.showPreferences($1, $2) }),
    Endpoint(
      name: .setPreferences, summary: "Set the notification preferences", answers: [.init()],
      failures: [.unprocessableContent], access: .session { try await $0.setPreferences($1, $2) }),
  ]

  private func showPreferences(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    reply(try await service.preferences(of: session), session.account.locale, call)
  }

  /// Replaces the preferences; in a profile that names them one by one, those that it names. The language and the time zone
  /// of mails stay without a new one.
  private func setPreferences(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let inputs = try call.inputs()
    var preferences = try NotificationPreferences(inputs.flags(.preferences) ?? [:])
    let known = session.account.locale
    let locale = try known.setting(language: inputs.text(.mailLanguage), timeZone: inputs.text(.mailTimeZone))
    if call.contract?.request?.preferenceNames.isEmpty == false {
      preferences = try await service.preferences(of: session).merging(preferences)
    }
    try await service.setPreferences(
      preferences, locale: locale == known ? nil : locale, by: session, in: call.context)
    return reply(preferences, locale, call)
  }

  /// Returns the reply with the preferences. A preference that the profile names and the owner has not chosen has its
  /// default.
  private func reply(_ preferences: NotificationPreferences, _ locale: MailLocale, _ call: Call) -> Reply {
    var choices = preferences.choices
    for name in call.contract?.response?.preferenceNames ?? [] { choices[name] = preferences.allows(name) }
    return Reply.values {
      $0[.preferences] = .flags(choices)
      $0.set(.mailLanguage, locale.language)
      $0.set(.mailTimeZone, locale.timeZone)
    }
  }
}
