// SPDX-License-Identifier: Apache-2.0

// A whole relying party in memory: what four endpoints of a server do, over lines of JSON in place of HTTP. The session is
// what a server would know from a cookie of its own.
//
//   {"session": "s1", "do": "begin-registration", "name": "ada@example.org"}   the options for the browser
//   {"session": "s1", "do": "finish-registration", "response": {…}}            {"user": "…"}
// and likewise begin-authentication and finish-authentication.
//
// What is refused is answered with {"code": "…"}, and with the step of WebAuthn §7 that refused it.

import Glibc
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// What the server itself refuses.
enum Refusal: String, Error {
  case commandUnknown, nothingPending, credentialUnknown, credentialChanged
}

struct Server {
  let relyingParty: RelyingParty
  var pending: [String: [UInt8]] = [:]
  var credentials: [CredentialID: StoredCredential] = [:]
  var users: [String: UserHandle] = [:]

  mutating func answer(_ request: JSONValue, at now: Timestamp) throws -> [UInt8] {
    let session = try request.require("session").string
    switch try request.require("do").string {
    case "begin-registration":
      // Whoever is signed in gets one more passkey; whoever is not, a new account.
      let user = try users[session] ?? UserHandle((1...16).map { _ in UInt8.random(in: 0...255) })
      let name = try request.require("name").string
      let begun = try relyingParty.beginRegistration(
        of: UserEntity(id: user, name: name, displayName: name),
        excluding: credentials.values.filter { $0.user == user }.map(\.record.descriptor),
        binding: CeremonyBinding(session: session), at: now)
      pending[session] = begun.pending.bytes
      return begun.options.json
    case "finish-registration":
      let taken = try PendingRegistration(taken: take(session))
      let response = try RegistrationResponse(json: request.require("response").encoded)
      let result = try relyingParty.finishRegistration(
        response, pending: taken, binding: CeremonyBinding(session: session),
        existing: CredentialLookup(credentials[response.id]), at: now)
      return try signIn(session, with: result.credential, inPlaceOf: nil)
    case "begin-authentication":
      let begun = try relyingParty.beginAuthentication(
        of: .fromResponse, binding: CeremonyBinding(session: session), at: now)
      pending[session] = begun.pending.bytes
      return begun.options.json
    case "finish-authentication":
      let taken = try PendingAuthentication(taken: take(session))
      let response = try AuthenticationResponse(json: request.require("response").encoded)
      guard let stored = credentials[response.id] else { throw Refusal.credentialUnknown }
      let result = try relyingParty.finishAuthentication(
        response, pending: taken, binding: CeremonyBinding(session: session), credential: stored, at: now)
      return try signIn(session, with: result.credential, inPlaceOf: stored)
    default: throw Refusal.commandUnknown
    }
  }

  /// Deletes the pending ceremony and returns it, so that no second response is judged by it.
  private mutating func take(_ session: String) throws -> Bytes {
    guard let bytes = pending.removeValue(forKey: session) else { throw Refusal.nothingPending }
    return bytes[...]
  }

  /// Stores a credential if there still is what was judged: in a database, one statement with a condition.
  private mutating func signIn(
    _ session: String, with credential: StoredCredential, inPlaceOf judged: StoredCredential?
  ) throws -> [UInt8] {
    guard credentials[credential.record.id] == judged else { throw Refusal.credentialChanged }
    credentials[credential.record.id] = credential
    users[session] = credential.user
    return JSON.writeObject { $0.write("user", .base64URL(credential.user.bytes)) }
  }
}

extension CeremonyBinding {
  /// Ties a ceremony to the session in which it begins.
  init(session: String) {
    self.init([UInt8](session.utf8)[...])
  }
}

func refusal(_ error: any Error) -> [UInt8] {
  let (code, step): (String, Int?) =
    switch error {
    case let error as CeremonyError: (error.code.rawValue, error.step)
    case let error as FormatError: (error.code.rawValue, nil)
    case let error as WireError: (error.code.rawValue, nil)
    default: ("\(error)", nil)
    }
  return JSON.writeObject {
    $0.write("code", .string(code))
    if let step { $0.write("step", .integer(step)) }
  }
}

let raxx = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [Origin("https://raxx.app")])
var server = Server(relyingParty: raxx)
while let line = readLine() {
  let now = Timestamp(secondsSince1970: Int64(time(nil)))
  let answer: [UInt8]
  do { answer = try server.answer(JSON.parse([UInt8](line.utf8)[...]), at: now) } catch { answer = refusal(error) }
  print(String(decoding: answer, as: UTF8.self))
  fflush(nil)
}
