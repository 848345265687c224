// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension AuthService {
  /// Returns the notification preferences of the signed-in account.
  ///
  /// - Throws: A storage code.
  package func preferences(of session: AuthenticatedSession) async throws(ServiceError) -> NotificationPreferences {
    try await stored(async: await storage.preferences(of: session.account.handle))
  }

  /// Replaces the notification preferences of the signed-in account, and with a locale that of its mails.
  ///
  /// - Throws: `account.unknown` if the account was erased meanwhile; or a storage code.
  package func setPreferences(
    _ preferences: NotificationPreferences, locale: MailLocale? = nil, by session: AuthenticatedSession,
    in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let audit = [try draft(.preferencesSet, by: handle, of: handle, subject: .account(handle), in: context)]
    let isThere = try await stored(
      async: await storage.setPreferences(preferences, locale: locale, of: handle, audit: audit))
    guard isThere else { throw ServiceError(.accountUnknown) }
  }
}
