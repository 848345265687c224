// SPDX-License-Identifier: Apache-2.0

extension RouteProfile {
  /// Yapt: a session cookie with a custom name, which also carries the ceremony binding, and `username` for the e-mail
  /// address.
  public static let yapt: RouteProfile = {
    var paths = RouteProfile.paths(below: "/api")
    paths[.registerOptions] = "/api/auth/register/generate-options"
    paths[.signInOptions] = "/api/auth/login/generate-options"
    var profile = RouteProfile(name: "yapt", paths: paths)
    profile.addressMember = "username"
    profile.accountMember = "user"
    profile.saysVerified = true
    profile.tokens = .cookie(name: "yapt.sid", keepsPlainName: true)
    return profile
  }()
}
