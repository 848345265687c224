// SPDX-License-Identifier: Apache-2.0

extension ServerProfile {
  /// Raxx: bearer tokens that expire after 15 minutes.
  public static let raxx = ServerProfile(name: "raxx", routes: routes(below: "/api"))

  /// Yapt: a session cookie, which also carries the pending ceremony, and `username` in place of `email`.
  public static let yapt: ServerProfile = {
    var profile = ServerProfile(name: "yapt", routes: routes(below: "/api"))
    profile.routes[.registerOptions] = ServerRoute("POST", "/api/auth/register/generate-options")
    profile.routes[.signInOptions] = ServerRoute("POST", "/api/auth/login/generate-options")
    profile.addressMember = "username"
    profile.accountMember = "user"
    profile.credentialMember = nil
    profile.sessions = .cookie(name: "yapt.sid")
    return profile
  }()

  /// Aiday: accounts that require approval, and refresh tokens.
  public static let aiday: ServerProfile = {
    var profile = ServerProfile(name: "aiday", routes: routes(below: "/api/v1"))
    profile.accountMember = "user"
    return profile
  }()
}
