// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnTypes

extension AuditWorld {
  /// Returns a request that needs a confirmation and changes nothing: the options for another passkey.
  func sensitiveRequest(in session: OpenSession? = nil) throws -> ServerRequest {
    guard profile[.stepUpOptions] != nil else { throw CannotTell("the profile has no endpoint step-up-options") }
    guard profile[.addCredentialOptions]?.stepUp != false else {
      throw CannotTell("the profile adds passkeys without a confirmation")
    }
    var request = try request(.addCredentialOptions)
    if let session { try authorize(&request, session) }
    return request
  }

  /// Adds a grant to a request.
  func present(grant: String, in request: inout ServerRequest) {
    request.headers.removeAll { $0.name == profile.headers.stepUp }
    request.headers.append(HeaderField(profile.headers.stepUp, grant))
  }

  /// Begins to confirm a request.
  func beginStepUp(for action: ServerRequest, in session: OpenSession?) async throws -> ServerReply {
    try await send(stepUpRequest(for: action, in: session))
  }

  private func stepUpRequest(for action: ServerRequest, in session: OpenSession?) throws -> ServerRequest {
    let demand = StepUpDemand(method: action.method, path: action.path, body: action.body)
    var request = try beginRequest(.stepUpOptions, Handshake.values(of: demand))
    if let session { try authorize(&request, session) }
    return request
  }

  /// Begins to confirm a request, by default the one of ``sensitiveRequest(in:)``.
  func beganStepUp(for action: ServerRequest? = nil, in session: OpenSession) async throws -> BegunCeremony {
    let action = try action ?? sensitiveRequest(in: session)
    let request = try stepUpRequest(for: action, in: session)
    return try begun(.stepUpOptions, try await send(request), to: request)
  }

  /// Finishes a confirmation with an assertion.
  func finishStepUp(_ json: [UInt8], _ begun: BegunCeremony, in session: OpenSession) async throws -> ServerReply {
    var request = try finishRequest(begun, json)
    try authorize(&request, session)
    if session.isInCookie { request.cookies = begun.cookies }
    return try await send(request)
  }

  /// Returns a grant for a request, and its end.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  func issueGrant(
    for action: ServerRequest, in session: OpenSession
  ) async throws -> (token: String, expiry: UnixTime?) {
    let begun = try await beganStepUp(for: action, in: session)
    let reply = try await finishStepUp(try assertion(begun, by: session.person.passkey).json(), begun, in: session)
    let values = values(reply, to: try request(.stepUpVerify), at: .stepUpVerify)
    guard reply.isSuccess, let token = values.text(.grantToken) else {
      throw CannotTell("a valid confirmation was refused: \(reply.shortened)")
    }
    recorder.hide([token])
    return (token, values.time(.grantExpiry))
  }

  /// Returns a grant for a request.
  func grant(for action: ServerRequest, in session: OpenSession) async throws -> String {
    try await issueGrant(for: action, in: session).token
  }

  /// Returns an assertion with other flags.
  func assertion(
    _ begun: BegunCeremony, by passkey: AuditPasskey, flags: AuthenticatorFlags
  ) throws -> [UInt8] {
    var response = assertion(begun, by: passkey)
    response.authenticatorData.flags = flags
    return try response.json()
  }

  /// Fails if the server issues a grant for an assertion.
  func judgeGrant(
    _ json: [UInt8], _ begun: BegunCeremony, in session: OpenSession, _ description: String
  ) async throws -> Verdict {
    let reply = try await finishStepUp(json, begun, in: session)
    let hasGrant = values(reply, to: try request(.stepUpVerify), at: .stepUpVerify).text(.grantToken) != nil
    if hasGrant, try !refused(reply) { return .fail("an assertion \(description) was accepted (\(reply.status))") }
    // A success without a grant confirms nothing.
    return try reply.isSuccess || refused(reply) ? .pass : .cannotTell(reply.shortened)
  }

  /// Sends a request to an endpoint in a session, with a grant if the server demands one.
  func confirmed(
    _ endpoint: EndpointName, id: String? = nil, in session: OpenSession,
    _ fill: (inout ShapeValues) -> Void = { (_) in }
  ) async throws -> ServerReply {
    var values = ShapeValues()
    fill(&values)
    var request = try request(endpoint, values, id: id)
    try authorize(&request, session)
    let reply = try await send(request)
    guard Handshake.isStepUpDemanded(by: reply) else { return reply }
    present(grant: try await grant(for: request, in: session), in: &request)
    return try await send(request)
  }

  // MARK: Passkeys

  /// Returns a session of the main person and the ID of a passkey of another.
  func foreignPasskey() async throws -> (own: OpenSession, id: String) {
    let other = try await otherPerson()
    return (try await open(), other.passkeyID)
  }

  /// Returns the options for another passkey.
  func additionOptions(in session: OpenSession) async throws -> JSONValue {
    try await beganAddition(in: session).options
  }

  private func beganAddition(in session: OpenSession) async throws -> BegunCeremony {
    let reply = try await confirmed(.addCredentialOptions, in: session)
    return try begun(.addCredentialOptions, reply, to: try request(.addCredentialOptions))
  }

  /// Registers a person with two passkeys. The second result has the second passkey.
  func personWithTwoPasskeys() async throws -> (first: Person, second: Person) {
    let person = try await newPerson()
    let session = try await open(person)
    let begun = try await beganAddition(in: session)
    let passkey = try AuditPasskey(userHandle: person.passkey.userHandle)
    var request = try finishRequest(begun, try registration(begun, by: passkey).json())
    try authorize(&request, session)
    if session.isInCookie { request.cookies = begun.cookies }
    try await send(request).require("add-credential-verify")
    return (person, Person(name: person.name, passkey: passkey, session: nil))
  }

  /// Whether a person's passkey signs in.
  func canSignIn(_ person: Person) async throws -> Bool {
    let request = try beginRequest(.signInOptions, name: person.name)
    let reply = try await send(request)
    if try refused(reply) { return false }
    let begun = try begun(.signInOptions, name: person.name, reply, to: request)
    return try !refused(await finish(begun, try assertion(begun, by: person.passkey).json()), begun)
  }

  /// Whether the list of the account's passkeys shows a name.
  func lists(_ name: String, in session: OpenSession) async throws -> Bool {
    let reply = try await call(.credentials, in: session)
    try reply.require("credentials")
    let listed = values(reply, to: try request(.credentials), at: .credentials).list(.credentials) ?? []
    return listed.contains { $0.text(.credentialName) == name } || reply.text.contains(name)
  }
}
