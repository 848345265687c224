// SPDX-License-Identifier: Apache-2.0

extension RouteProfile {
  /// Raxx: bearer tokens of a quarter of an hour, and every endpoint there is.
  public static let raxx = RouteProfile(name: "raxx", paths: paths(below: "/api"))
}
