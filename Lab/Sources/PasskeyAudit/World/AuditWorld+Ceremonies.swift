// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyProfiles
package import PasskeyTesting
package import WebAuthnClient
internal import WebAuthnInspection
internal import WebAuthnTypes

extension AuditWorld {
  // MARK: Beginning

  /// Begins a ceremony: a registration or a sign-in of a name, or another one in a person's session.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  package func begin(
    _ endpoint: EndpointName, name: String? = nil, as person: Person? = nil, _ values: ShapeValues = ShapeValues()
  ) async throws -> BegunCeremony {
    let code = endpoint == .registerOptions ? try await invitation(for: name ?? "") : nil
    var request = try beginRequest(endpoint, name: name, invitation: code, values)
    if let person, let session = person.session { try handshake.authorize(&request, with: session) }
    request = try await prepared(request)
    var begun = try begun(endpoint, name: name, as: person, try await send(request), to: request)
    begun.invitation = code
    return begun
  }

  /// Returns a sign-up code for a new account; nil if the server needs none.
  package func invitation(for name: String) async throws -> String? {
    guard let newInvitation = options.newInvitation else { return options.invitation }
    let code = try await newInvitation(name)
    recorder.hide(code: code)
    return code
  }

  /// Returns the request that begins a ceremony without a session.
  package func beginRequest(
    _ endpoint: EndpointName, name: String? = nil, invitation: String? = nil, _ values: ShapeValues = ShapeValues()
  ) throws -> ServerRequest {
    var values = values
    if let name {
      try names(of: name).add(to: &values, for: handshake.profile.contract(endpoint))
      values.set(.accountDisplayName, name)
    }
    if endpoint == .registerOptions { values.set(.code, invitation ?? options.invitation) }
    return try request(endpoint, values)
  }

  /// Reads the options in a response.
  package func begun(
    _ endpoint: EndpointName, name: String? = nil, as person: Person? = nil, _ reply: ServerReply,
    to request: ServerRequest
  ) throws -> BegunCeremony {
    guard reply.isSuccess else { throw CannotTell("\(request) was refused: \(reply.shortened)") }
    let values = try handshake.values(reply, to: request, at: endpoint)
    let options = try handshake.options(in: values, of: reply, to: request, at: endpoint)
    guard let challenge = (try? options["challenge"]?.base64URL) ?? nil else {
      throw CannotTell("\(request) returned no options with a challenge")
    }
    var begun = BegunCeremony(
      finish: endpoint.finish, name: name, reply: reply, options: options, challenge: challenge,
      cookies: reply.cookies, person: person)
    begun.kept = try handshake.kept(after: values, in: reply, to: request, at: endpoint)
    if let id = begun.relyingPartyID { keep(statedRelyingPartyID: id) }
    return begun
  }

  // MARK: Finishing

  /// Returns the request that finishes a ceremony with a response, which may be malformed.
  package func finishRequest(_ begun: BegunCeremony, _ json: [UInt8]) throws -> ServerRequest {
    var values = ShapeValues()
    let placeholder = Array(#"{"passkey-audit":"credential"}"#.utf8)
    // A request with parts of the response has no place for malformed JSON.
    let contract = try handshake.profile.contract(begun.finish)
    values[.credential] = .encoded(contract.request?.hasParts == true ? json : placeholder)
    values.kept = begun.kept
    // A request without them would be refused for a reason that the check does not mean.
    let needed = contract.keptNamesOfPath + (contract.request?.requiredKeptNames.map(\.key) ?? [])
    let missing = needed.filter { $0.kind == .ceremony && begun.kept[$0] == nil }
    if let name = missing.map(\.description).min() { throw CannotTell("the beginning returned no \(name)") }
    if let name = begun.name {
      try names(of: name).add(to: &values, for: contract)
    }
    if begun.finish == .registerVerify { values.set(.code, begun.invitation ?? options.invitation) }
    var request = try request(begun.finish, values)
    if let session = begun.person?.session {
      try handshake.authorize(&request, with: session)
    } else {
      request.cookies = begun.cookies
      handshake.rewrite(&request)
    }
    Self.replace(placeholder, with: json, in: &request.body)
    return request
  }

  /// Replaces the JSON of a credential in a body: a value, the members of an object, JSON in a string, or a field of a form.
  ///
  /// The shape would not write malformed JSON.
  private static func replace(_ placeholder: [UInt8], with json: [UInt8], in body: inout [UInt8]) {
    func inString(_ json: [UInt8]) -> [UInt8] {
      Array(JSON.write(.string(String(decoding: json, as: UTF8.self))).dropFirst().dropLast())
    }
    func inForm(_ json: [UInt8]) -> [UInt8] { Array(Handshake.escaped(String(decoding: json, as: UTF8.self)).utf8) }
    let members = { (json: [UInt8]) in Array(json.dropFirst().dropLast()) }
    for write in [{ $0 }, members, inString, inForm] as [([UInt8]) -> [UInt8]] {
      guard let range = body.firstRange(of: write(placeholder)) else { continue }
      return body.replaceSubrange(range, with: write(json))
    }
  }

  /// Finishes a ceremony with a response, which may be malformed.
  package func finish(_ begun: BegunCeremony, _ json: [UInt8]) async throws -> ServerReply {
    let request = try finishRequest(begun, json)
    let reply = try await send(request)
    if let session = try? session(in: reply, to: request, of: begun) { hideSecrets(of: session) }
    return reply
  }

  /// Whether a response means that the server accepted a ceremony: it opened a session, or it answered 2xx and reports no
  /// failure. A redirect opens a session only by a new cookie.
  package func accepted(_ reply: ServerReply, _ begun: BegunCeremony) -> Bool {
    guard reply.isSuccess || reply.isRedirect, !reply.reportsFailure else { return false }
    if profile[begun.finish]?.location != nil {
      guard handshake.isSuccess(reply, at: begun.finish) else { return false }
    } else if reply.isRedirect, !reply.setCookies.contains(where: { $0.has(name: cookieName) }) {
      return false
    }
    guard begun.finish == .signInVerify, profile.presentation != .nothing else { return true }
    return ((try? session(in: reply, to: request(begun.finish), of: begun)) ?? nil) != nil
  }

  /// Returns the session that a response opens.
  package func session(
    in reply: ServerReply, to request: ServerRequest, of begun: BegunCeremony
  ) throws -> ServerSession? {
    // The body of a redirect is a page for people.
    let values = reply.isRedirect ? ShapeValues() : try handshake.values(reply, to: request, at: begun.finish)
    return handshake.session(openedBy: reply, values, of: begun.name)
  }

  // MARK: Responses

  /// Returns a valid registration for options.
  package func registration(_ begun: BegunCeremony, by passkey: AuditPasskey) -> ForgedResponse {
    var response = ForgedResponse(
      of: .registration, id: passkey.id,
      ClientDataDraft(type: "webauthn.create", challenge: begun.challenge, origin: origin),
      AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256((begun.relyingPartyID ?? relyingPartyID).utf8),
        flags: [.userPresent, .userVerified], signCount: 0,
        credential: .init(
          aaguid: AAGUID(unchecked: [UInt8](repeating: 0, count: 16)), id: passkey.id,
          publicKey: passkey.key.publicKey.tree)))
    response.members = [
      .init(name: "transports", value: .array(["internal"])),
      .init(name: "publicKeyAlgorithm", value: .integer(Int(passkey.key.algorithm.rawValue))),
    ]
    response.authenticatorAttachment = .string(begun.selection("authenticatorAttachment") ?? "platform")
    return response
  }

  /// Returns a valid assertion for options.
  package func assertion(_ begun: BegunCeremony, by passkey: AuditPasskey) -> ForgedResponse {
    var response = ForgedResponse(
      of: .assertion(passkey.key), id: passkey.id,
      ClientDataDraft(type: "webauthn.get", challenge: begun.challenge, origin: origin),
      AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256((begun.relyingPartyID ?? relyingPartyID).utf8),
        flags: [.userPresent, .userVerified], signCount: passkey.count()))
    response.members = [.init(name: "userHandle", value: .bytes(passkey.userHandle))]
    response.authenticatorAttachment = "platform"
    return response
  }

  // MARK: Whole ceremonies

  /// Registers a person with a valid response, who can then sign in.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  package func newPerson(_ algorithm: COSEAlgorithm = .es256) async throws -> Person {
    let (person, reply, begun) = try await newRegistration(algorithm)
    try await activate(person, registeredBy: reply, begun)
    return person
  }

  /// Registers a person with a valid response. The account may wait for a mail or an approval.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  func newRegistration(
    _ algorithm: COSEAlgorithm = .es256
  ) async throws -> (person: Person, reply: ServerReply, begun: BegunCeremony) {
    let begun = try await begin(.registerOptions, name: newName())
    let passkey = try AuditPasskey(algorithm, userHandle: begun.userHandle ?? [])
    let reply = try await finish(begun, registration(begun, by: passkey).json())
    guard accepted(reply, begun) else { throw CannotTell("a valid registration was refused: \(reply.shortened)") }
    return (keep(reply, begun, passkey), reply, begun)
  }

  /// Finishes a registration with a response that the server must accept, and keeps the account for removal.
  package func register(_ begun: BegunCeremony, _ passkey: AuditPasskey, _ json: [UInt8]) async throws -> Person {
    let reply = try await finish(begun, json)
    guard accepted(reply, begun) else { throw CannotTell("a valid registration was refused: \(reply.shortened)") }
    return keep(reply, begun, passkey)
  }

  /// Keeps the account of an accepted registration for removal.
  @discardableResult
  package func keep(_ reply: ServerReply, _ begun: BegunCeremony, _ passkey: AuditPasskey) -> Person {
    let session = (try? session(in: reply, to: request(begun.finish), of: begun)) ?? nil
    let person = Person(name: begun.name ?? "", passkey: passkey, session: session)
    keepForRemoval(person)
    return person
  }

  /// Signs a person in again with a valid response, and returns the new session. `person.session` stays as it is.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  package func signIn(_ person: Person) async throws -> ServerSession {
    let begun = try await begin(.signInOptions, name: person.name)
    let request = try finishRequest(begun, try assertion(begun, by: person.passkey).json())
    let reply = try await send(request)
    guard accepted(reply, begun) else { throw CannotTell("a valid sign-in was refused: \(reply.shortened)") }
    guard let session = try session(in: reply, to: request, of: begun) else {
      throw CannotTell("the server opens no session that the profile describes")
    }
    hideSecrets(of: session)
    return session
  }

  /// Returns the names of a person for requests.
  func names(of name: String) -> UserNames {
    let needsBoth = profile.identifiers.username == .required && profile.identifiers.email == .required
    guard needsBoth else { return UserNames(name: name) }
    return UserNames(name: String(name.prefix { $0 != "@" }), email: name)
  }

  /// Replaces the secrets of a session in reports.
  func hideSecrets(of session: ServerSession) {
    recorder.hide(
      [session.token, session.refreshToken].compactMap { $0.map { String(decoding: $0.exposedBytes, as: UTF8.self) } })
    recorder.hide(session.cookies.lines.compactMap { $0.split(separator: "\t").last.map(String.init) })
  }
}

extension EndpointName {
  /// The endpoint that finishes a ceremony that this one begins.
  var finish: EndpointName {
    switch self {
    case .addCredentialOptions: .addCredentialVerify
    case .signInOptions: .signInVerify
    case .stepUpOptions: .stepUpVerify
    case .reverifyOptions: .reverifyVerify
    default: .registerVerify
    }
  }
}

extension ServerReply {
  /// The status with the code or the title of the problem, or else the beginning of a JSON body.
  package var shortened: String {
    guard let problem else { return "\(status)" }
    if problem.code != nil || problem.title != nil || problem.detail != nil { return "\(status), \(problem)" }
    guard body.first == UInt8(ascii: "{") else { return "\(status)" }
    // 120 bytes  [enough for a sentence]
    let beginning = body.prefix(120).filter { !"\r\n".utf8.contains($0) }
    return "\(status), \(ReportText.line(String(decoding: beginning, as: UTF8.self)))"
  }

  /// Whether the body of a success says that the ceremony failed, as `{"verified": false}` does.
  var reportsFailure: Bool {
    guard let value = try? JSON.parse(body, maximumSize: body.count), value.kind == .object else { return false }
    for name in ["verified", "success", "ok"] where ((try? value[name]?.bool) ?? nil) == false { return true }
    if let status = (try? value["status"]?.string) ?? nil,
      ["error", "err", "failed", "fail"].contains(status.lowercased())
    {
      return true
    }
    return ((try? value["error"]) ?? nil)?.unlessNull != nil
  }
}
