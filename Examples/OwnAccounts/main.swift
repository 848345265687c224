// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyHTTPServer
import Passkeys

// The relying party. Its id is your domain and never changes; the origins are the addresses of your pages.
let relyingParty = try RelyingParty(
  id: RelyingPartyID("localhost"), name: "Own accounts", origins: [WebOrigin("http://localhost:8080")])

/// Your tables, in memory. In a database each method is one statement.
actor Tables {
  private var pending: [String: [UInt8]] = [:]
  private var credentials: [CredentialID: StoredCredential] = [:]

  func keep(_ ceremony: [UInt8], for session: String) { pending[session] = ceremony }

  /// Deletes the ceremony and returns it, so that a second response finds nothing.
  func take(_ session: String) -> [UInt8] { pending.removeValue(forKey: session) ?? [] }

  func credential(_ id: CredentialID) -> StoredCredential? { credentials[id] }

  /// Fails if another request has changed the credential meanwhile.
  func store(_ new: StoredCredential, replacing old: StoredCredential?) throws {
    guard credentials[new.record.id] == old else { throw EndpointError(.internalError) }
    credentials[new.record.id] = new
  }
}
let tables = Tables()

/// Responds with the options of a ceremony, which ends in the browser that has this cookie.
func options(_ json: [UInt8], for session: String) -> EndpointResponse {
  var response = EndpointResponse(.ok, contentType: "application/json", body: json)
  if let cookie = EndpointCookie("ceremony", session, isSecure: false) { response.set(cookie) }  // true with TLS
  return response
}

/// Answers 401 if a ceremony fails. Its error has a code and the step of the standard, for your log.
func verifying(
  _ finish: @escaping @Sendable (EndpointRequest, String) async throws -> EndpointResponse
) -> EndpointRoute.Handler {
  { (request) in
    let session = request.headers.cookie("ceremony", isSecure: false) ?? ""
    do { return try await finish(request, session) } catch let error as CeremonyError {
      print(error)
      return EndpointResponse(.unauthorized)
    }
  }
}

let router = try EndpointRouter([
  EndpointRoute(.post, "/register/options") { (request) in
    let name = try JSONBody(request).string("name", atMost: 64)
    // Your account. The handle is random, because it must not identify a person.
    let user = UserEntity(id: try .random(), name: name, displayName: name)
    let session = UUID().uuidString
    let begun = try relyingParty.beginRegistration(
      of: user, binding: CeremonyBinding(session), at: request.receivedAt)
    await tables.keep(begun.pending.bytes, for: session)
    return options(begun.options.json, for: session)
  },
  EndpointRoute(
    .post, "/register/verify",
    verifying { (request, session) in
      let response = try RegistrationResponse(json: request.body)
      let pending = try await PendingRegistration(taken: tables.take(session))
      let existing = await CredentialLookup(tables.credential(response.id))
      let result = try relyingParty.finishRegistration(
        response, pending: pending, binding: CeremonyBinding(session), existing: existing, at: request.receivedAt)
      try await tables.store(result.credential, replacing: nil)
      return .noContent
    }),
  EndpointRoute(.post, "/login/options") { (request) in
    let session = UUID().uuidString
    let begun = try relyingParty.beginAuthentication(
      of: .fromResponse, binding: CeremonyBinding(session), at: request.receivedAt)
    await tables.keep(begun.pending.bytes, for: session)
    return options(begun.options.json, for: session)
  },
  EndpointRoute(
    .post, "/login/verify",
    verifying { (request, session) in
      let response = try AuthenticationResponse(json: request.body)
      let pending = try await PendingAuthentication(taken: tables.take(session))
      guard let stored = await tables.credential(response.id) else { return EndpointResponse(.unauthorized) }
      let result = try relyingParty.finishAuthentication(
        response, pending: pending, binding: CeremonyBinding(session), credential: stored, at: request.receivedAt)
      try await tables.store(result.credential, replacing: stored)
      // Your own session begins here.
      return EndpointResponse.json(["user": .string("\(result.user)")])
    }),
])

let port = UInt16(CommandLine.arguments.dropFirst().first ?? "8080") ?? 8080
let server = try HTTPServer(HTTPServerConfiguration(address: .loopback, port: port), handler: router.respond)
print("listening at http://127.0.0.1:\(server.port)")
while true { try await Task.sleep(for: .seconds(3600)) }
