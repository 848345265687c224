// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

/// A user with an address, a device and optionally a session. The client holds a bearer token, or is a browser if the
/// profile uses cookies.
struct Visitor {
  let world: EndpointWorld
  let email: String
  private let chosenUsername: String?
  var person: Person
  var token: String?
  var cookies = CookieJar()
  /// Other header fields of its requests.
  var fields: [(String, String)] = []
  var id = ""
  var credential = ""

  init(_ world: EndpointWorld, _ email: String, username: String? = nil) throws {
    self.world = world
    self.email = email
    chosenUsername = username
    person = try Person()
  }

  /// The user name, in profiles with user names. Beside an address it must not contain an @.
  var username: String {
    if let chosenUsername { return chosenUsername }
    return world.endpoints.profile.identifiers.email == .none ? email : String(email.prefix { $0 != "@" })
  }

  /// Creates an account and signs in.
  static func signedIn(_ world: EndpointWorld, _ email: String) async throws -> Visitor {
    var visitor = try Visitor(world, email)
    visitor.take(try await visitor.signUp().expect(200))
    return visitor
  }

  /// Creates an administrator from the console.
  static func administrator(_ world: EndpointWorld, _ email: String = "root@raxx.app") async throws -> Visitor {
    var visitor = try Visitor(world, email)
    let identifiers = world.endpoints.profile.identifiers
    let username = try identifiers.username == .none ? nil : Username(visitor.username)
    let address = try identifiers.email == .none ? nil : EmailAddress(email)
    let names = try #require(AccountNames(username, address))
    let made = try await world.service.createAccount(
      names, roles: [.administrator], by: .console, in: world.console)
    visitor.take(try await visitor.signUp(code: made.code.exposedText).expect(200))
    return visitor
  }

  /// Stores the tokens of a response.
  mutating func take(_ answer: Answer) {
    token = (try? answer["token"]) ?? (try? answer["tokens", "accessToken"])
    if let id = (try? answer["account", "id"]) ?? (try? answer["user", "id"]) { self.id = id }
    if let id = try? answer["credential", "id"] { credential = id }
  }

  // MARK: Requests

  func ask(
    _ method: String, _ target: String, _ body: String? = nil, type: String? = "application/json", grant: String? = nil
  ) async throws -> Answer {
    var fields = [("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0")] + fields
    if let token { fields.append(("Authorization", "Bearer \(token)")) }
    if let grant { fields.append(("Passkey-Step-Up", grant)) }
    guard !world.endpoints.profile.sessions.allows(.bearer) else {
      return try await world.send(method, target, body, type: type, fields)
    }
    fields += [("Origin", "https://raxx.app")] + cookies.fields
    let answer = try await world.send(method, target, body, type: type, fields)
    cookies.take(answer)
    return answer
  }

  func ask(_ name: EndpointName, _ id: String = "", _ body: String? = nil) async throws -> Answer {
    try await ask(world.method(name), world.path(name, id), body)
  }

  /// Sends a request with a confirmation of exactly this request.
  func askConfirmed(
    _ method: String, _ target: String, _ body: String? = nil, type: String? = "application/json"
  ) async throws -> Answer {
    let grant = try await grant(method, target, body ?? "")
    return try await ask(method, target, body, type: type, grant: grant)
  }

  func askConfirmed(_ name: EndpointName, _ id: String = "", _ body: String? = nil) async throws -> Answer {
    try await askConfirmed(world.method(name), world.path(name, id), body)
  }

  // MARK: Ceremonies

  /// The body members with the names of the account, as an endpoint takes them.
  private func names(for endpoint: EndpointName) -> String {
    let request = world.endpoints.profile[endpoint]?.request
    let places: [(Set<ShapeVariable>, String)] = [
      ([.accountUsername, .accountName], username), ([.accountEmail], email),
    ]
    let members = places.compactMap { (variables, name) in
      request?.memberName(of: variables).map { #""\#($0)":"\#(name)""# }
    }
    return members.joined(separator: ",")
  }

  /// The body with an authenticator's response, as an endpoint takes it.
  private func body(_ response: String, for endpoint: EndpointName) -> String {
    let member = world.endpoints.profile[endpoint]?.request?.memberName(of: [.credential])
    return member.map { #"{"\#($0)":\#(response)}"# } ?? response
  }

  func registerOptions(code: String? = nil) async throws -> Answer {
    let more = code.map { #","code":"\#($0)""# } ?? ""
    return try await ask(.registerOptions, "", #"{\#(names(for: .registerOptions))\#(more)}"#)
  }

  func signUp(code: String? = nil) async throws -> Answer {
    let options = try await registerOptions(code: code).expect(200)
    return try await ask(.registerVerify, "", body(person.create(options.body), for: .registerVerify))
  }

  func signIn() async throws -> Answer {
    let options = try await ask(.signInOptions, "", #"{\#(names(for: .signInOptions))}"#).expect(200)
    return try await ask(.signInVerify, "", body(person.get(options.body), for: .signInVerify))
  }

  func stepUpOptions(_ method: String, _ target: String, _ body: String) async throws -> Answer {
    let digest = Base64URL.encode(Digest.sha256(Array(body.utf8)))
    return try await ask(
      .stepUpOptions, "", #"{"method":"\#(method)","path":"\#(target)","bodySha256":"\#(digest)"}"#)
  }

  /// Confirms an action and returns the grant.
  func grant(_ method: String, _ target: String, _ body: String = "") async throws -> String {
    let options = try await stepUpOptions(method, target, body).expect(200)
    return try await ask(.stepUpVerify, "", person.get(options.body)).expect(200)["grant"]
  }

  /// Requests the options for another passkey of this account.
  func additionOptions() async throws -> Answer {
    try await askConfirmed(.registerOptions, "", "{}").expect(200)
  }
}

/// The cookies of a browser. Visitors that share a jar share a browser.
final class CookieJar: Sendable {
  private let cookies = Locked<[String: String]>([:])

  func take(_ answer: Answer) {
    cookies.withLock { (cookies) in
      for (name, value) in answer.cookies { cookies[name] = value.isEmpty ? nil : value }
    }
  }

  var fields: [(String, String)] {
    cookies.withLock { $0 }.sorted { $0.key < $1.key }.map { ("Cookie", "\($0.key)=\($0.value)") }
  }
}

extension EndpointWorld {
  func method(_ name: EndpointName) throws -> String {
    try #require(endpoints.profile[name]).method
  }
}
