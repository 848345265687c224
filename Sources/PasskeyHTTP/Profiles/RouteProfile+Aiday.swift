// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension RouteProfile {
  /// Aiday: administrators approve accounts, sessions have refresh tokens, and an idle time-out of 15 minutes.
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
