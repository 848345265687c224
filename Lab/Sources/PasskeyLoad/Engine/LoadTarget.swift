// SPDX-License-Identifier: Apache-2.0

package import PasskeyProfiles
package import WebAuthnClient
package import WebAuthnTypes

/// The server of a load, its API, and the origin of the ceremonies.
package struct LoadTarget: Sendable {
  package let server: ServerAddress
  package let profile: ServiceProfile
  package let origin: WebOrigin
  package let settings: HTTPSettings

  /// Creates a target. A load can bring a server down: the caller makes sure that its owner allows it.
  package init(
    server: ServerAddress, profile: ServiceProfile, origin: WebOrigin, settings: HTTPSettings = HTTPSettings()
  ) {
    self.server = server
    self.profile = profile
    self.origin = origin
    self.settings = settings
  }

  /// Throws if the profile lacks an endpoint that the plan needs.
  ///
  /// - Throws: `load.endpoint-missing`.
  package func check(_ plan: LoadPlan) throws(LoadError) {
    let operations = plan.mix.filter { $0.weight > 0 }.map(\.operation)
    var endpoints = operations.flatMap(\.endpoints) + LoadOperation.signIn.endpoints + LoadOperation.register.endpoints
    if plan.request == nil, operations.contains(where: { [.request, .stepUp].contains($0) }) { endpoints.append(.me) }
    for endpoint in endpoints where profile[endpoint] == nil {
      throw LoadError(.endpointMissing, "the profile \(profile.name) has no \(endpoint.rawValue)")
    }
  }
}
