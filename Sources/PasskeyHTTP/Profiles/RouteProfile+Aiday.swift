// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension RouteProfile {
  /// Aiday: accounts that an administrator approves, refresh tokens, and a session that ends after 15 idle minutes.
  public static let aiday: RouteProfile = {
    var paths = RouteProfile.paths(below: "/api/v1")
    paths[.registerDevice] = "/api/v1/notifications/devices"
    paths[.eraseDevice] = "/api/v1/notifications/devices"
    var profile = RouteProfile(name: "aiday", paths: paths)
    profile.accountMember = "user"
    profile.policy.signUp = .approval
    profile.policy.sessions.idleLimit = .seconds(15 * 60)
    profile.policy.sessions.renewal = .init()
    return profile
  }()
}
