// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension ServerConfiguration {
  /// Writes the effective settings with the names and in the syntax of the settings file. Omits settings without a value.
  func write(_ settings: Settings, to object: inout JSONObjectWriter) {
    for setting in Setting.all {
      let values = effectiveValues(of: setting, settings) ?? settings.list(setting).map(\.text)
      if setting.isList {
        object.writeArray(setting.name) { (list) in
          for value in values { list.write(.string(value)) }
        }
      } else if let value = values.first {
        object.write(setting.name, .string(value))
      }
    }
  }

  /// Returns the values of a setting whose default depends on other settings, or whose text may contain a password. Returns
  /// nil for any other setting.
  private func effectiveValues(of setting: Setting, _ settings: Settings) -> [String]? {
    switch setting {
    case .relyingPartyName: [relyingParty.name]
    case .origins: relyingParty.origins.map(\.text)
    case .algorithms: relyingParty.policy.algorithms.map(\.description)
    case .database: ["\(database)"]
    case .signUp: [policy.signUp.rawValue]
    case .sessionLifetime: [Self.time(policy.sessions.lifetime)]
    case .idleLimit: policy.sessions.idleLimit.map { [Self.time($0)] } ?? []
    case .refresh: policy.sessions.renewal.map { [Self.time($0.tokenLifetime)] } ?? []
    case .tokens: [profile.sessions.deliveries.count > 1 ? "both" : profile.sessions.deliveries[0].rawValue]
    case .cookiePrefix: profile.sessions.allows(.cookie) ? [profile.sessions.cookie.prefix.rawValue] : []
    case .cookieName: profile.sessions.allows(.cookie) ? [profile.sessions.cookie.name] : []
    case .pages: (try? settings.pages(for: profile)).map { [$0.text] }
    default: nil
    }
  }
}
