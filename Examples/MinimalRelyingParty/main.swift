// SPDX-License-Identifier: Apache-2.0

// A relying party in one file, in memory: the work of a server's four endpoints, over lines of JSON instead of HTTP.
// `session` stands for the value that a server keeps in a cookie. `usage` below describes the protocol.

import Foundation
import WebAuthnFoundation
import WebAuthnRelyingParty

/// The errors of the server itself.
enum Refusal: String, Error {
  case commandUnknown, nothingPending, credentialUnknown, credentialChanged
}

/// One line of the input.
struct Request: Decodable {
  let session: String
  let `do`: String
  let name: String?
}

/// The browser's response on such a line.
struct Answer<Response: Decodable>: Decodable {
  let response: Response
}

struct Server {
  let relyingParty: RelyingParty
  var pending: [String: [UInt8]] = [:]
  var credentials: [CredentialID: StoredCredential] = [:]
  var users: [String: UserHandle] = [:]

  mutating func answer(_ line: Data, at now: UnixTime) throws -> Data {
    let request = try JSONDecoder().decode(Request.self, from: line)
    let session = request.session
    switch request.do {
    case "begin-registration":
      // A signed-in user adds a passkey; anyone else gets a new account.
      let user = try users[session] ?? .random()
      let name = request.name ?? ""
      let begun = try relyingParty.beginRegistration(
        of: UserEntity(id: user, name: name, displayName: name),
        excluding: credentials.values.filter { $0.user == user }.map(\.record.descriptor),
        binding: CeremonyBinding(session), at: now)
      pending[session] = begun.pending.bytes
      return Data(begun.options.json)
    case "finish-registration":
      let taken = try PendingRegistration(taken: take(session))
      let response = try JSONDecoder().decode(Answer<RegistrationResponse>.self, from: line).response
      let result = try relyingParty.finishRegistration(
        response, pending: taken, binding: CeremonyBinding(session),
        existing: CredentialLookup(credentials[response.id]), at: now)
      return try signIn(session, with: result.credential, inPlaceOf: nil)
    case "begin-authentication":
      let begun = try relyingParty.beginAuthentication(
        of: .fromResponse, binding: CeremonyBinding(session), at: now)
      pending[session] = begun.pending.bytes
      return Data(begun.options.json)
    case "finish-authentication":
      let taken = try PendingAuthentication(taken: take(session))
      let response = try JSONDecoder().decode(Answer<AuthenticationResponse>.self, from: line).response
      guard let stored = credentials[response.id] else { throw Refusal.credentialUnknown }
      let result = try relyingParty.finishAuthentication(
        response, pending: taken, binding: CeremonyBinding(session), credential: stored, at: now)
      return try signIn(session, with: result.credential, inPlaceOf: stored)
    default: throw Refusal.commandUnknown
    }
  }

  /// Deletes the pending ceremony and returns it, so that a second response finds nothing.
  private mutating func take(_ session: String) throws -> [UInt8] {
    guard let bytes = pending.removeValue(forKey: session) else { throw Refusal.nothingPending }
    return bytes
  }

  /// Stores a credential by compare-and-set: in a database, one UPDATE whose WHERE compares the old value.
  private mutating func signIn(
    _ session: String, with credential: StoredCredential, inPlaceOf judged: StoredCredential?
  ) throws -> Data {
    guard credentials[credential.record.id] == judged else { throw Refusal.credentialChanged }
    credentials[credential.record.id] = credential
    users[session] = credential.user
    return try JSONEncoder().encode(["user": credential.user])
  }
}

/// The answer to a request that failed.
struct Failure: Encodable {
  let code: String
  let step: Int?

  init(_ error: any Error) {
    let cause: any Error =
      switch error {
      case DecodingError.dataCorrupted(let context): context.underlyingError ?? error
      default: error
      }
    switch cause {
    case let error as CeremonyError: (code, step) = (error.code.rawValue, error.step)
    case let error as FormatError: (code, step) = (error.code.rawValue, nil)
    case let error as Refusal: (code, step) = (error.rawValue, nil)
    default: (code, step) = ("request.malformed", nil)
    }
  }
}

let usage = """
  MinimalRelyingParty: an example relying party for raxx.app, in memory

  usage: MinimalRelyingParty

  Reads one request a line from standard input, writes one reply a line, and ends
  with the input. A session runs one ceremony at a time. Requests:

    {"session": "s1", "do": "begin-registration", "name": "ada@example.org"}
        replies with options for navigator.credentials.create()
    {"session": "s1", "do": "finish-registration", "response": {…}}
        replies with {"user": "…"}
    {"session": "s1", "do": "begin-authentication"}
        replies with options for navigator.credentials.get()
    {"session": "s1", "do": "finish-authentication", "response": {…}}
        replies with {"user": "…"}

  A refused request gets {"code": "…"}, with the failed step of WebAuthn §7 if any.

  options:
    -h, --help  show this help

  """

func writeError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--help"] || arguments == ["-h"] {
  print(usage, terminator: "")
  exit(0)
}
if let first = arguments.first {
  writeError(
    """
    minimal-relying-party: error: unknown argument \(first.debugDescription)
    minimal-relying-party: hint: MinimalRelyingParty --help describes the requests

    """)
  exit(2)
}
if isatty(STDIN_FILENO) == 1 { writeError(usage) }

let raxx = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
var server = Server(relyingParty: raxx)
while let line = readLine() {
  let answer: Data
  do { answer = try server.answer(Data(line.utf8), at: .now) } catch {
    answer = try JSONEncoder().encode(Failure(error))
  }
  FileHandle.standardOutput.write(answer + Data("\n".utf8))
}
