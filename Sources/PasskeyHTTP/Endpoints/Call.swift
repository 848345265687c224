// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// One request to an endpoint, with its context for the service.
struct Call: Sendable {
  let request: HTTPRequest
  let context: RequestContext
  let instant: ContinuousClock.Instant

  /// The known-client marks of the request, if the endpoint is part of a ceremony.
  var marks: [KnownClients.Mark] = []

  /// The action that a step-up confirms: the method, the path with the query, and the exact body.
  var action: ProtectedAction {
    let query = request.target.query.map { "?\($0)" } ?? ""
    return ProtectedAction(
      method: request.method.rawValue, path: request.target.path + query, body: request.body)
  }

  /// Returns the identifier in a path parameter. A malformed one gets 404.
  func identifier<Identifier>(
    _ parameter: String = "id", _ read: (String) throws -> Identifier?
  ) throws(HTTPError) -> Identifier {
    guard let text = request.parameters[parameter], let identifier = try? read(text) else { throw HTTPError(.notFound) }
    return identifier
  }

  /// The passkey identifier in the path.
  var credentialID: CredentialID {
    get throws(HTTPError) { try identifier { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The passkey identifier in a path that also names an account.
  var credentialIDOfUser: CredentialID {
    get throws(HTTPError) { try identifier("credential") { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The account identifier in the path.
  var userHandle: UserHandle {
    get throws(HTTPError) { try identifier { try UserHandle(Base64URL.decode($0)) } }
  }
}
