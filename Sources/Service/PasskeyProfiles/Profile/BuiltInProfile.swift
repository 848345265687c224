// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The profiles that are compiled into the module.
enum BuiltInProfile: String, CaseIterable {
  case site
  case raxx
  case yapt
  case aiday

  /// The profile that has every endpoint, from which all others inherit.
  static let base = raxx

  /// The JSON text of the profile.
  var json: [UInt8] {
    switch self {
    case .site: PackageResources.site_json
    case .raxx: PackageResources.raxx_json
    case .yapt: PackageResources.yapt_json
    case .aiday: PackageResources.aiday_json
    }
  }

  func document() throws(ProfileError) -> JSONValue { try ServiceProfile.document(json) }

  static func document(named name: String) throws(ProfileError) -> JSONValue {
    guard let profile = BuiltInProfile(rawValue: name) else {
      throw ProfileError(
        .parentUnknown, at: "extends", "built in are \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return try profile.document()
  }

  /// The parsed profile. If the document is invalid, the profile has no endpoints; the tests of this module detect
  /// this.
  var profile: ServiceProfile {
    let parsed = try? ServiceProfile(own: document(), isBase: self == .base)
    return parsed ?? ServiceProfile(name: rawValue, errors: ServiceProfile.Errors(shape: Shape(.object([]))))
  }
}

extension ServiceProfile {
  /// A site with pages: invited accounts with an email address, a cookie for its pages or a bearer token, and sessions of an
  /// hour that renew while they are in use.
  public static let site = BuiltInProfile.site.profile

  /// Raxx: email addresses, bearer tokens that expire after 15 minutes, or a cookie for a browser's same-origin
  /// request.
  public static let raxx = BuiltInProfile.raxx.profile

  /// Yapt: user names, a session cookie that lives for 30 days, and errors as `{"error": …}`.
  public static let yapt = BuiltInProfile.yapt.profile

  /// Aiday: accounts that an administrator approves, bearer tokens with refresh, and an idle time-out of 15 minutes.
  public static let aiday = BuiltInProfile.aiday.profile

  /// The built-in profiles.
  package static let builtIn: [ServiceProfile] = [.site, .raxx, .yapt, .aiday]

  /// The JSON document of a built-in profile, as a model for other profiles. Returns nil for an unknown name.
  public static func document(ofBuiltIn name: String) -> [UInt8]? { BuiltInProfile(rawValue: name)?.json }
}
