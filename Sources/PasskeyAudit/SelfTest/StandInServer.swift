// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WireFormats

/// A stand-in for a relying party in this process, with registration and sign-in of the profile `raxx`.
final class StandInServer: Sendable {
  enum Behavior: CaseIterable, Sendable {
    case correct, refusesEverything, acceptsEverything
  }

  /// The address, which is also the origin of the pages.
  static let origin = "http://localhost:4711"

  private struct Passkey {
    let key: COSEKey
    let owner: [UInt8]
    let name: String
    var counter: UInt32
  }

  private struct Pending {
    let type: ClientDataType
    let owner: [UInt8]
    let name: String
  }

  private struct State {
    var pending: [[UInt8]: Pending] = [:]
    var newest: Pending?
    var passkeys: [[UInt8]: Passkey] = [:]
    var sessions: [String: String] = [:]
  }

  /// A request that the stand-in refuses.
  private struct Refused: Error {}

  private let behavior: Behavior
  private let state = Locked(State())

  init(_ behavior: Behavior) {
    self.behavior = behavior
  }

  var transport: AuditTransport {
    AuditTransport { [self] (request) in
      do {
        return try state.withLock { (state) in try respond(to: request, &state) }
      } catch {
        return ServerReply(status: 400, body: Array(#"{"title":"Refused","code":"stand-in.refused"}"#.utf8))
      }
    }
  }

  private func respond(to request: ServerRequest, _ state: inout State) throws -> ServerReply {
    switch request.path {
    case "/api/auth/register/options": return try begin(.create, request, &state)
    case "/api/auth/login/options": return try begin(.get, request, &state)
    case "/api/auth/register/verify": return try finish(request, &state, register)
    case "/api/auth/login/verify": return try finish(request, &state, signIn)
    case "/api/auth/me":
      let token = request.bearer.map { String(decoding: $0.exposedBytes, as: UTF8.self) }
      guard let name = token.flatMap({ state.sessions[$0] }) else { throw Refused() }
      return reply { (body) in body.writeObject("account") { (account) in account.write("email", name) } }
    default: return ServerReply(status: 404)
    }
  }

  // MARK: Beginning

  private func begin(_ type: ClientDataType, _ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let name = try JSON.parse(request.body).require("email").string
    let challenge = try AuditRandom.bytes(32)
    let pending = Pending(type: type, owner: try AuditRandom.bytes(16), name: name)
    state.pending[challenge] = pending
    state.newest = pending
    return reply { (options) in
      options.write("challenge", .base64URL(challenge))
      guard type == .create else {
        options.write("rpId", "localhost")
        options.write("userVerification", "required")
        return
      }
      options.writeObject("rp") { (party) in party.write("id", "localhost") }
      options.writeObject("user") { (user) in user.write("id", .base64URL(pending.owner)) }
      options.writeObject("authenticatorSelection") { (selection) in selection.write("userVerification", "required") }
      options.writeArray("pubKeyCredParams") { (list) in
        list.writeObject { (parameters) in parameters.write("alg", .integer(COSEAlgorithm.es256.rawValue)) }
      }
    }
  }

  // MARK: Finishing

  private func finish(
    _ request: ServerRequest, _ state: inout State, _ verify: (JSONValue, inout State) throws -> String
  ) throws -> ServerReply {
    guard behavior != .refusesEverything else { throw Refused() }
    let name: String
    do {
      name = try verify(JSON.parse(request.body).require("credential"), &state)
    } catch {
      guard behavior == .acceptsEverything, let newest = state.newest else { throw error }
      name = newest.name
    }
    let token = Base64URL.encode(try AuditRandom.bytes(32))
    state.sessions[token] = name
    return reply { (body) in
      body.write("token", token)
      body.writeObject("account") { (account) in account.write("email", name) }
    }
  }

  /// Verifies a registration and returns the name of its account.
  private func register(_ json: JSONValue, _ state: inout State) throws -> String {
    let response = try RegistrationResponse(json: json)
    let pending = try pending(response.clientDataJSON, .create, &state)
    let object = try AttestationObject(parsing: response.attestationObject)
    let data = object.authenticatorData
    try check(data)
    guard let made = data.attestedCredentialData, made.credentialID == response.id.bytes,
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
    return pending.name
  }

  /// Verifies a sign-in and returns the name of the account.
  private func signIn(_ json: JSONValue, _ state: inout State) throws -> String {
    let response = try AuthenticationResponse(json: json)
    let pending = try pending(response.clientDataJSON, .get, &state)
    guard var passkey = state.passkeys[Array(response.id.bytes)], passkey.name == pending.name,
      response.userHandle.map({ Array($0.bytes) == passkey.owner }) != false
    else { throw Refused() }
    let data = try AuthenticatorData(parsing: response.authenticatorData)
    try check(data)
    let digest = Bytes(Digest.sha256(response.clientDataJSON))
    try passkey.key.verify(response.signature, over: data.encoded, followedBy: digest)
    guard data.signCount > passkey.counter else { throw Refused() }
    passkey.counter = data.signCount
    state.passkeys[Array(response.id.bytes)] = passkey
    return passkey.name
  }

  private func pending(_ bytes: Bytes, _ type: ClientDataType, _ state: inout State) throws -> Pending {
    let clientData = try ClientData(parsing: bytes)
    guard let pending = state.pending.removeValue(forKey: Array(clientData.challenge)), pending.type == type,
      clientData.type == type, clientData.origin.utf8.elementsEqual(Self.origin.utf8), clientData.crossOrigin != true,
      clientData.topOrigin == nil
    else { throw Refused() }
    return pending
  }

  private func check(_ data: AuthenticatorData) throws {
    guard Array(data.relyingPartyIDHash) == Digest.sha256("localhost".utf8), data.extensions == nil,
      data.flags.contains([.userPresent, .userVerified]), !data.flags.contains(.backedUp)
    else { throw Refused() }
  }

  private func reply(_ write: (inout JSONObjectWriter) -> Void) -> ServerReply {
    ServerReply(
      status: 200, headers: [HeaderField("content-type", "application/json")],
      body: JSON.writeObject { (object: inout JSONObjectWriter) in write(&object) })
  }
}
