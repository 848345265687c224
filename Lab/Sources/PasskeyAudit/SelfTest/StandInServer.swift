// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient
internal import WebAuthnTypes

/// A fault of a stand-in, with the ID of the check that finds it.
enum StandInFault: String, CaseIterable {
  case keepsChallenges = "state.assertion-replay"
  case keepsSessions = "session.sign-out-ends"
  case refusesUnknownNames = "enumeration.options-status"
  case keepsGrants = "step-up.grant-reuse"
  case allowsCaches = "http.cache-secrets"
  case findsEverything = "documents.unknown"
  case deletesForeignPasskeys = "management.delete-foreign"
  case hidesRetryTimes = "limits.retry-after"
}

/// A stand-in for a relying party in this process. It has the part of the profile `raxx` that each group of checks needs for
/// its positive control.
final class StandInServer: Sendable {
  enum Behavior: Hashable, Sendable {
    case correct, refusesEverything, acceptsEverything
    case faulty(StandInFault)
  }

  /// The address, which is also the origin of the pages.
  static let origin = "http://localhost:4711"

  // 100 failures [fewer than the checks of limits try]
  private static let maximumFailureCount = 100

  struct Passkey {
    let key: COSEKey
    let owner: [UInt8]
    let name: String
    var counter: UInt32
  }

  struct Session {
    let owner: [UInt8]
    let name: String
  }

  enum Purpose {
    case registration, addition, signIn, confirmation
  }

  struct Pending {
    let challenge: [UInt8]
    let purpose: Purpose
    let owner: [UInt8]
    let name: String
    var grant: Grant?
  }

  /// The request that a grant permits, and the token of its session.
  struct Grant: Hashable {
    let session: String
    let method: String
    let path: String
    let bodySHA256: [UInt8]
  }

  struct State {
    var pending: [[UInt8]: Pending] = [:]
    var newest: Pending?
    var passkeys: [[UInt8]: Passkey] = [:]
    var sessions: [String: Session] = [:]
    var grants: [String: Grant] = [:]
    /// The failed sign-ins of each name.
    var failures: [String: Int] = [:]
  }

  /// A request that the stand-in refuses.
  struct Refused: Error {
    var status = 400
    var code = "stand-in.refused"
    var headers: [HeaderField] = []
  }

  let behavior: Behavior
  private let state = Locked(State())

  init(_ behavior: Behavior) {
    self.behavior = behavior
  }

  var transport: AuditTransport {
    AuditTransport { [self] (request) in
      do {
        return try state.withLock { (state) in try respond(to: request, &state) }
      } catch {
        let refused = error as? Refused ?? Refused()
        return reply(refused.status, refused.headers) { (body) in
          body.write("title", "Refused")
          body.write("code", refused.code)
        }
      }
    }
  }

  func has(_ fault: StandInFault) -> Bool { behavior == .faulty(fault) }

  private func respond(to request: ServerRequest, _ state: inout State) throws -> ServerReply {
    guard request.body.count <= 65_536 else { throw Refused(status: 413) }
    guard request.body.isEmpty || request.contentType == "application/json" else { throw Refused(status: 415) }
    let path = request.path.prefix { $0 != "?" }
    switch "\(request.method) \(path)" {
    case "POST /api/auth/register/options": return try beginRegistration(request, &state)
    case "POST /api/auth/register/verify":
      return try open(request, &state) { (json, state) in try register(json, &state) }
    case "POST /api/auth/login/options": return try beginSignIn(request, &state)
    case "POST /api/auth/login/verify": return try open(request, &state) { (json, state) in try signIn(json, &state) }
    case "GET /api/auth/me": return try me(request, state)
    case "POST /api/auth/logout": return try signOut(request, &state)
    case "POST /api/auth/step-up/options": return try beginConfirmation(request, &state)
    case "POST /api/auth/step-up/verify": return try finishConfirmation(request, &state)
    case "POST /api/auth/add-passkey/options": return try beginAddition(request, &state)
    default:
      let parts = path.split(separator: "/")
      if request.method == "DELETE", parts.dropLast() == ["api", "auth", "credentials"], let id = parts.last {
        return try deletePasskey(String(id), request, &state)
      }
      if has(.findsEverything) { return ServerReply(status: 200) }
      throw Refused(status: 404)
    }
  }

  // MARK: Sessions

  private func open(
    _ request: ServerRequest, _ state: inout State, _ verify: (JSONValue, inout State) throws -> Session
  ) throws -> ServerReply {
    guard behavior != .refusesEverything else { throw Refused() }
    let session: Session
    do {
      session = try verify(JSON.parse(request.body).require("credential"), &state)
    } catch {
      guard behavior == .acceptsEverything, let newest = state.newest else { throw error }
      session = Session(owner: newest.owner, name: newest.name)
    }
    let token = try Self.token()
    state.sessions[token] = session
    return reply { (body) in
      body.write("token", token)
      body.writeObject("account") { (account) in account.write("email", session.name) }
    }
  }

  /// Verifies a sign-in, unless its name failed too often.
  private func signIn(_ json: JSONValue, _ state: inout State) throws -> Session {
    let response = try AuthenticationResponse(json: json)
    let pending = try take(response.clientDataJSON, .signIn, &state)
    guard state.failures[pending.name, default: 0] < Self.maximumFailureCount else {
      throw Refused(status: 429, headers: has(.hidesRetryTimes) ? [] : [HeaderField("retry-after", "3600")])
    }
    do {
      let session = try verify(response, pending, &state)
      if has(.keepsChallenges) { state.pending[pending.challenge] = pending }
      return session
    } catch {
      state.failures[pending.name, default: 0] += 1
      throw error
    }
  }

  private func me(_ request: ServerRequest, _ state: State) throws -> ServerReply {
    let name = try session(of: request, state).value.name
    return reply { (body) in body.writeObject("account") { (account) in account.write("email", name) } }
  }

  private func signOut(_ request: ServerRequest, _ state: inout State) throws -> ServerReply {
    let token = try session(of: request, state).token
    if !has(.keepsSessions) { state.sessions[token] = nil }
    return reply { (_) in }
  }

  /// Returns the session of a request.
  func session(of request: ServerRequest, _ state: State) throws -> (token: String, value: Session) {
    let token = request.bearer.map { String(decoding: $0.exposedBytes, as: UTF8.self) } ?? ""
    guard let session = state.sessions[token] else { throw Refused(status: 401) }
    return (token, session)
  }

  // MARK: Responses

  static func token() throws -> String { Base64URL.encode(try AuditRandom.bytes(32)) }

  func reply(
    _ status: Int = 200, _ headers: [HeaderField] = [], _ write: (inout JSONObjectWriter) -> Void
  ) -> ServerReply {
    let usual = [
      HeaderField("content-type", status < 400 ? "application/json" : "application/problem+json"),
      HeaderField("cache-control", has(.allowsCaches) ? "max-age=600" : "no-store"),
      HeaderField("x-content-type-options", "nosniff"),
      HeaderField("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
    return ServerReply(
      status: status, headers: usual + headers,
      body: JSON.writeObject { (object: inout JSONObjectWriter) in
        if status >= 400 { object.write("status", .integer(status)) }
        write(&object)
      })
  }
}
