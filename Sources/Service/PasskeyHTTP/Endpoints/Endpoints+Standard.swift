// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles

// Endpoints that a profile need not name.

extension Endpoints {
  /// Returns the route of an endpoint that the profile need not name: one that is served by a setting, or the description of the
  /// service, which scripts in pages need.
  static func standardContract(_ name: EndpointName) -> EndpointContract? {
    switch name {
    case .auditCheckpoint: EndpointContract(method: "GET", path: "/api/audit/checkpoint")
    case .auditTile: EndpointContract(method: "GET", path: "/api/audit/tile/{tile}")
    case .passkeyEndpoints: EndpointContract(method: "GET", path: "/.well-known/passkey-endpoints")
    case .forwardAuth: EndpointContract(method: "GET", path: "/api/auth/forward")
    case .introspect: EndpointContract(method: "POST", path: "/api/auth/introspect")
    case .signedToken: EndpointContract(method: "POST", path: "/api/auth/token")
    case .keySet: EndpointContract(method: "GET", path: "/.well-known/jwks.json")
    default: nil
    }
  }

  /// Returns whether the settings turn on an endpoint.
  func isServed(_ name: EndpointName) -> Bool {
    switch name {
    case .auditCheckpoint, .auditTile: servesAuditTiles
    case .forwardAuth: site?.answersProxies == true
    case .introspect: site?.backEnds.isEmpty == false
    case .signedToken, .keySet: site?.signsTokens == true
    default: true
    }
  }
}
