// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport

/// A user with an address and a device. Records in a ledger what the server acknowledges.
struct Client: Sendable {
  /// The server refused the request.
  struct Refused: Error {
    let answer: Answer
  }

  let email: String
  let person: Person
  let line: Line
  let ledger: Ledger

  init(at port: UInt16, _ ledger: Ledger) throws {
    email = "\(try Self.name())@example.org"
    person = try Person()
    line = Line(to: port)
    self.ledger = ledger
  }

  /// Creates the same user's client for another server or a restarted one.
  init(_ client: Client, at port: UInt16) {
    email = client.email
    person = client.person
    ledger = client.ledger
    line = Line(to: port)
  }

  static func name() throws -> String { Hex.encode(try RandomSource.system.bytes(8)[...]) }

  /// Repeats all operations until the server is gone or the task is cancelled. Records refusals.
  static func visit(_ port: UInt16, _ ledger: Ledger) async throws {
    while !Task.isCancelled {
      do {
        let client = try Client(at: port, ledger)
        let first = try await client.signUp()
        for round in 0..<20 where !Task.isCancelled {
          let token = try await client.signIn()
          if round % 3 == 1 { try await client.addPasskey(token) }
          try await client.signOut(round.isMultiple(of: 2) ? token : client.signIn())
        }
        try await client.signOut(first)
      } catch is Refused {
        try? await Task.sleep(for: .milliseconds(20))
      } catch is Line.Gone {
        return
      } catch is RawClient.Unreachable {
        return
      }
    }
  }

  // MARK: A user's actions

  /// Creates an account, or the first passkey of an account with this code. Returns the token of the session.
  @discardableResult
  func signUp(code: String? = nil) async throws -> String {
    try await open(signedUp(code: code))
  }

  /// Creates an account like ``signUp(code:)`` and returns the response.
  func signedUp(code: String? = nil) async throws -> Answer {
    let names = #""email":"\#(email)""# + (code.map { #","code":"\#($0)""# } ?? "")
    let options = try await ask("POST", "/api/auth/register/options", "{\(names)}")
    return try await once("/api/auth/register/verify", person.create(options.body))
  }

  /// Opens a session and returns its token.
  @discardableResult
  func signIn() async throws -> String {
    try await open(once("/api/auth/login/verify", signedIn()))
  }

  /// Returns the response that completes a sign-in, of the named account or of the one whose passkey the device has.
  func signedIn(isNamed: Bool = true) async throws -> String {
    let name = isNamed ? #"{"email":"\#(email)"}"# : "{}"
    return try await person.get(ask("POST", "/api/auth/login/options", name).body)
  }

  /// Ends a session.
  func signOut(_ token: String) async throws {
    ledger.isEnding(token)
    let name = try Self.name()
    try await accepted(
      line.ask("POST", "/api/auth/logout", name: name, fields: [("Authorization", "Bearer \(token)")]))
    ledger.acknowledge(name)
    ledger.ended(token)
  }

  /// Adds a passkey, which requires a confirmation.
  func addPasskey(_ token: String) async throws {
    let grant = try await confirm(token)
    let options = try await once("/api/auth/register/options", "{}", token, grant: grant)
    _ = try await once("/api/auth/register/verify", Person().create(options.body), token)
  }

  /// A request that needs a confirmation.
  struct Action {
    var method = "POST"
    let path: String
    var body = ""

    static let addPasskey = Action(path: "/api/auth/register/options", body: "{}")
  }

  /// Confirms an action and returns the grant.
  func confirm(_ token: String, _ action: Action = .addPasskey) async throws -> String {
    try await once("/api/auth/step-up/verify", confirmed(token, action), token)["grant"]
  }

  /// Returns the response that completes a confirmation.
  func confirmed(_ token: String, _ action: Action = .addPasskey) async throws -> String {
    let digest = Base64URL.encode(Digest.sha256(Array(action.body.utf8)[...]))
    let json = #"{"method":"\#(action.method)","path":"\#(action.path)","bodySha256":"\#(digest)"}"#
    return try await person.get(ask("POST", "/api/auth/step-up/options", json, token).body)
  }

  /// Confirms an action and carries it out.
  func perform(_ action: Action, _ token: String) async throws {
    let grant = try await confirm(token, action)
    try await accepted(
      line.ask(action.method, action.path, action.body, fields: Self.fields(token, grant: grant)))
  }

  // MARK: How

  private func open(_ answer: Answer) throws -> String {
    let token = try answer["token"]
    ledger.opened(token)
    return token
  }

  private func ask(_ method: String, _ target: String, _ body: String, _ token: String? = nil) async throws -> Answer {
    try await accepted(line.ask(method, target, body, fields: Self.fields(token)))
  }

  /// Sends a request that may succeed only once.
  private func once(
    _ target: String, _ body: String, _ token: String? = nil, grant: String? = nil
  ) async throws -> Answer {
    let name = try Self.name()
    let fields = Self.fields(token, grant: grant)
    ledger.begin(
      Ledger.OneTime(
        name: name, method: "POST", target: target, body: body,
        fields: Dictionary(uniqueKeysWithValues: fields), wasAcknowledged: false))
    let answer = try await accepted(line.ask("POST", target, body, name: name, fields: fields))
    ledger.acknowledge(name)
    return answer
  }

  static func fields(_ token: String?, grant: String? = nil) -> [(String, String)] {
    (token.map { [("Authorization", "Bearer \($0)")] } ?? []) + (grant.map { [("Passkey-Step-Up", $0)] } ?? [])
  }

  @discardableResult
  private func accepted(_ answer: Answer) throws -> Answer {
    guard answer.status < 300 else {
      ledger.refused(answer)
      throw Refused(answer: answer)
    }
    return answer
  }
}
