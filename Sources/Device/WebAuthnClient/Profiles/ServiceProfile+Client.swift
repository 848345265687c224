// SPDX-License-Identifier: Apache-2.0

package import PasskeyProfiles
package import WebAuthnBrowser

/// How the client presents a session in requests.
package enum SessionPresentation: Hashable, Sendable {
  /// `Authorization: Bearer …`, with the token of a reply.
  case bearer
  /// A cookie of this name, under TLS possibly with the prefix `__Host-`.
  case cookie(name: String)
  /// Not at all: the server only reports that a ceremony succeeded.
  case nothing
}

extension ServiceProfile {
  /// How the client presents a session: by token if the server has tokens.
  package var presentation: SessionPresentation {
    if sessions.allows(.bearer) { return .bearer }
    return sessions.allows(.cookie) ? .cookie(name: sessions.cookie.name) : .nothing
  }

  /// Whether requests that write have the client's origin: with a cookie, as browsers do, or if the profile asks for it.
  package var sendsOrigin: Bool {
    if case .cookie = presentation { true } else { headers.sendsOrigin }
  }

  /// The text before a token in the field `Authorization`.
  package var tokenPrefix: String { sessions.scheme == .none ? "" : "Bearer " }

  /// Returns the contract of an endpoint. Throws ``/WebAuthnBrowser/ClientError/Code-swift.enum/endpointMissing`` if the server has none.
  package func contract(_ endpoint: EndpointName) throws(ClientError) -> EndpointContract {
    guard let contract = self[endpoint] else {
      throw ClientError(.endpointMissing, "the profile \(name) has no \(endpoint.rawValue)")
    }
    return contract
  }

  /// Whether the client confirms a request to an endpoint before the server demands it.
  package func confirms(_ endpoint: EndpointName) -> Bool {
    self[.stepUpOptions] != nil && self[endpoint]?.stepUp != false
  }

  /// Whether the server verifies the user of a session again without opening another session.
  package var canReverify: Bool { self[.reverifyOptions] != nil && self[.reverifyVerify] != nil }
}

extension EndpointName {
  /// Whether the endpoint is part of a ceremony or renews a session. Servers apply rate limits to these requests.
  var isCeremony: Bool {
    switch self {
    case .registerOptions, .registerVerify, .addCredentialOptions, .addCredentialVerify, .signInOptions, .signInVerify,
      .stepUpOptions, .stepUpVerify, .reverifyOptions, .reverifyVerify, .refresh, .verifyEmail, .resendVerification,
      .beginVerification, .changeEmail, .requestRecovery, .cancelRecovery:
      true
    default: false
    }
  }
}

extension EndpointContract {
  /// The variables of requests, in the body and in the query.
  package var requestVariables: Set<ShapeVariable> { (request?.variables ?? []).union(query?.variables ?? []) }

  /// Returns whether requests must have a value of the variable.
  package func requires(_ variable: ShapeVariable) -> Bool {
    request?.requires(variable) == true || query?.requires(variable) == true
  }
}
