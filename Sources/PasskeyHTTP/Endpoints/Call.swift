// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// One request to an endpoint, with what the service wants to know of it.
struct Call: Sendable {
  let request: HTTPRequest
  let context: RequestContext
  let instant: ContinuousClock.Instant

  /// The marks that the client showed, where the request begins or finishes a ceremony.
  var marks: [KnownClients.Mark] = []

  /// The act that the request asks for: its method, its path with the query, and its body, byte for byte.
  var action: ProtectedAction {
    let query = request.target.query.map { "?\($0)" } ?? ""
    return ProtectedAction(
      method: request.method.rawValue, path: request.target.path + query, body: request.body)
  }

  /// The part of the path that names something.
  func identifier<Identifier>(
    _ parameter: String = "id", _ read: (String) throws -> Identifier?
  ) throws(HTTPError) -> Identifier {
    guard let text = request.parameters[parameter], let identifier = try? read(text) else { throw HTTPError(.notFound) }
    return identifier
  }

  /// A passkey that the path names.
  var credentialID: CredentialID {
    get throws(HTTPError) { try identifier { try CredentialID(Base64URL.decode($0)) } }
  }

  /// A passkey that the path names beside an account.
  var credentialIDOfUser: CredentialID {
    get throws(HTTPError) { try identifier("credential") { try CredentialID(Base64URL.decode($0)) } }
  }

  /// An account that the path names.
  var userHandle: UserHandle {
    get throws(HTTPError) { try identifier { try UserHandle(Base64URL.decode($0)) } }
  }
}
