// SPDX-License-Identifier: Apache-2.0

extension RouteProfile {
  /// Raxx: bearer tokens that are valid for 15 minutes, and all endpoints.
  public static let raxx = RouteProfile(name: "raxx", paths: paths(below: "/api"))
}
