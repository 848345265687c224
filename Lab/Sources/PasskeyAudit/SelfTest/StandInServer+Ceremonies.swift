// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnClient
internal import WebAuthnTypes

extension StandInServer {
  // MARK: Beginning

  func beginRegistration(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let name = try JSON.parse(request.body).require("email").string
    guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { throw Refused() }
    return creationOptions(try begin(.registration, AuditRandom.bytes(16), name, &state), excluding: [])
  }

  /// Begins to add a passkey to the account of a session, after a confirmation.
  func beginAddition(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    try confirm(request, &state)
    let session = try session(of: request, state).value
    let own = state.passkeys.filter { $0.value.owner == session.owner }.map(\.key)
    return creationOptions(try begin(.addition, session.owner, session.name, &state), excluding: own)
  }

  private func creationOptions(_ pending: Pending, excluding own: [[UInt8]]) -> ServerReply {
    reply { (options) in
      options.write("challenge", .base64URL(pending.challenge))
      options.writeObject("rp") { (party) in
        party.write("id", "localhost")
        party.write("name", "Stand-in")
      }
      options.writeObject("user") { (user) in
        user.write("id", .base64URL(pending.owner))
        user.write("name", pending.name)
        user.write("displayName", pending.name)
      }
      options.writeObject("authenticatorSelection") { (selection) in selection.write("userVerification", "required") }
      options.writeArray("pubKeyCredParams") { (list) in
        list.writeObject { (parameters) in
          parameters.write("type", "public-key")
          parameters.write("alg", .integer(COSEAlgorithm.es256.rawValue))
        }
      }
      options.writeArray("excludeCredentials") { (list) in
        for id in own {
          list.writeObject { (passkey) in
            passkey.write("type", "public-key")
            passkey.write("id", .base64URL(id))
          }
        }
      }
    }
  }

  func beginSignIn(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let name = try JSON.parse(request.body).require("email").string
    let isKnown = state.passkeys.values.contains { $0.name == name }
    if has(.refusesUnknownNames), !isKnown { throw Refused(status: 404) }
    return requestOptions(try begin(.signIn, AuditRandom.bytes(16), name, &state))
  }

  /// Begins to confirm an action in a session.
  func beginConfirmation(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let (token, session) = try session(of: request, state)
    let json = try JSON.parse(request.body)
    let grant = Grant(
      session: token, method: try json.require("method").string, path: try json.require("path").string,
      bodySHA256: try json.require("bodySha256").base64URL)
    return requestOptions(try begin(.confirmation, session.owner, session.name, grant: grant, &state))
  }

  private func begin(
    _ purpose: Purpose, _ owner: [UInt8], _ name: String, grant: Grant? = nil, _ state: inout State
  ) throws -> Pending {
    let pending = Pending(
      challenge: try AuditRandom.bytes(32), purpose: purpose, owner: owner, name: name, grant: grant)
    state.pending[pending.challenge] = pending
    state.newest = pending
    return pending
  }

  private func requestOptions(_ pending: Pending) -> ServerReply {
    reply { (options) in
      options.write("challenge", .base64URL(pending.challenge))
      options.write("rpId", "localhost")
      options.write("userVerification", "required")
    }
  }

  // MARK: Finishing

  /// Verifies a registration.
  func register(_ json: JSONValue, _ state: inout State) throws -> Session {
    let response = try RegistrationResponse(json: json)
    let pending = try take(response.clientDataJSON, .registration, &state)
    let object = try AttestationObject(parsing: response.attestationObject)
    let data = object.authenticatorData
    try check(data)
    guard let made = data.attestedCredentialData, made.credentialID == response.id.bytes[...],
      state.passkeys[Array(made.credentialID)] == nil
    else { throw Refused() }
    let key = try COSEKey(parsing: made.credentialPublicKey)
    guard key.algorithm == .es256 else { throw Refused() }
    try key.requirePointOnCurve()
    let statement = try object.statement.map
    if object.format == .packed {
      guard try statement.require("alg").integer == key.algorithm.rawValue else { throw Refused() }
      let digest = Bytes(Digest.sha256(response.clientDataJSON))
      try key.verify(statement.require("sig").bytes, over: data.encoded, followedBy: digest)
    } else {
      guard object.format == .none, statement.count == 0 else { throw Refused() }
    }
    state.passkeys[Array(made.credentialID)] = Passkey(
      key: key, owner: pending.owner, name: pending.name, counter: data.signCount)
    return Session(owner: pending.owner, name: pending.name)
  }

  /// Verifies an assertion for the account of its ceremony.
  func verify(_ response: AuthenticationResponse, _ pending: Pending, _ state: inout State) throws -> Session {
    guard var passkey = state.passkeys[Array(response.id.bytes)], passkey.name == pending.name,
      response.userHandle.map({ Array($0.bytes) == passkey.owner }) != false
    else { throw Refused() }
    let data = try AuthenticatorData(parsing: response.authenticatorData)
    try check(data)
    let digest = Bytes(Digest.sha256(response.clientDataJSON))
    try passkey.key.verify(response.signature, over: data.encoded, followedBy: digest)
    guard data.signCount > passkey.counter || data.signCount == 0 && passkey.counter == 0 else { throw Refused() }
    passkey.counter = data.signCount
    state.passkeys[Array(response.id.bytes)] = passkey
    return Session(owner: passkey.owner, name: passkey.name)
  }

  /// Takes the ceremony that a response answers.
  func take(_ bytes: Bytes, _ purpose: Purpose, _ state: inout State) throws -> Pending {
    let clientData = try ClientData(parsing: bytes)
    guard let pending = state.pending.removeValue(forKey: Array(clientData.challenge)), pending.purpose == purpose,
      clientData.type == (purpose == .registration ? .create : .get),
      clientData.origin.utf8.elementsEqual(Self.origin.utf8), clientData.crossOrigin != true,
      clientData.topOrigin == nil
    else { throw Refused() }
    return pending
  }

  private func check(_ data: AuthenticatorData) throws {
    guard Array(data.relyingPartyIDHash) == Digest.sha256("localhost".utf8), data.extensions == nil,
      data.flags.contains([.userPresent, .userVerified]), !data.flags.contains(.backedUp)
    else { throw Refused() }
  }

  // MARK: Confirmed actions

  /// Verifies the confirmation of an action, and issues the grant for it.
  func finishConfirmation(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let token = try session(of: request, state).token
    let response = try AuthenticationResponse(json: JSON.parse(request.body).require("credential"))
    let pending = try take(response.clientDataJSON, .confirmation, &state)
    guard let grant = pending.grant, grant.session == token else { throw Refused() }
    _ = try verify(response, pending, &state)
    let issued = try Self.token()
    state.grants[issued] = grant
    return reply { (body) in body.write("grant", issued) }
  }

  /// Throws unless a request has the grant for it.
  func confirm(_ request: ServerRequest, _ state: inout State) throws {
    let token = try session(of: request, state).token
    let needed = Grant(
      session: token, method: request.method, path: request.path, bodySHA256: Digest.sha256(request.body))
    let presented = request.headers.first { $0.name == "passkey-step-up" }?.value ?? ""
    guard state.grants[presented] == needed else {
      throw Refused(
        status: 401, code: "step-up.required",
        headers: [HeaderField("www-authenticate", #"Bearer error="insufficient_user_authentication""#)])
    }
    if !has(.keepsGrants) { state.grants[presented] = nil }
  }

  /// Deletes a passkey of the account, and the last one only if the request says so.
  func deletePasskey(_ id: String, _ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    try confirm(request, &state)
    let owner = try session(of: request, state).value.owner
    let bytes = try Base64URL.decode(id)
    guard let passkey = state.passkeys[bytes], passkey.owner == owner || has(.deletesForeignPasskeys) else {
      throw Refused(status: 404)
    }
    let isLast = state.passkeys.values.count { $0.owner == owner } == 1
    guard !isLast || request.path.contains("allowLast=true") else { throw Refused(status: 409) }
    state.passkeys[bytes] = nil
    return reply { (_) in }
  }
}
