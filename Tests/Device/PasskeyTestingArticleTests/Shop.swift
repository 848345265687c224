// SPDX-License-Identifier: Apache-2.0

import PasskeyTesting
import WebAuthnFoundation
import WebAuthnRelyingParty

/// The reader's server, over the library alone.
actor Shop {
  private let relyingParty: RelyingParty
  private var users: [UserHandle: String] = [:]
  private var credentials: [CredentialID: StoredCredential] = [:]
  private var pending: [String: [UInt8]] = [:]
  private var signedIn: [String: String] = [:]
  private var sessionCount = 0

  init() throws {
    relyingParty = try RelyingParty(
      id: RelyingPartyID("shop.example"), name: "Shop", origins: [WebOrigin("https://shop.example")])
  }

  /// Answers a request of a page.
  func answer(_ request: TestBrowser.Request) async throws -> TestBrowser.Reply {
    let cookie = request.headers.first { $0.name == "cookie" }?.value
    let session = cookie.map { String($0.dropFirst("session=".count)) } ?? begin()
    func reply(_ body: [UInt8]) -> TestBrowser.Reply {
      TestBrowser.Reply(status: 200, headers: [("Set-Cookie", "session=\(session); Secure; HttpOnly")], body: body)
    }
    do {
      switch request.path {
      case "/register/options": return reply(try registrationOptions(for: "ada", session))
      case "/register/verify":
        try finishRegistration(request.body, session)
        return reply([])
      case "/login/options": return reply(try signInOptions(session))
      case "/login/verify":
        _ = try finishSignIn(request.body, session)
        return reply([])
      case "/me":
        guard let name = signedIn[session] else { return TestBrowser.Reply(status: 401) }
        return reply(Array(#"{"name":"\#(name)"}"#.utf8))
      default: return TestBrowser.Reply(status: 404)
      }
    } catch {
      return TestBrowser.Reply(status: 401)
    }
  }

  /// Registers a user with a browser that takes options and returns a response. Returns a session.
  func register(_ name: String, _ browser: @Sendable ([UInt8]) async throws -> [UInt8]) async throws -> String {
    let session = begin()
    try finishRegistration(try await browser(registrationOptions(for: name, session)), session)
    return session
  }

  /// Signs in with such a browser. Returns the name of the user.
  func signIn(
    _ session: String, _ browser: @Sendable ([UInt8]) async throws -> [UInt8]
  ) async throws -> String {
    try finishSignIn(try await browser(signInOptions(session)), session)
  }

  private func begin() -> String {
    sessionCount += 1
    return "s\(sessionCount)"
  }

  private func registrationOptions(for name: String, _ session: String) throws -> [UInt8] {
    let user = UserEntity(id: try .random(), name: name, displayName: name)
    users[user.id] = name
    let begun = try relyingParty.beginRegistration(of: user, at: .now)
    pending[session] = begun.pending.bytes
    return begun.options.json
  }

  private func finishRegistration(_ body: [UInt8], _ session: String) throws {
    let response = try RegistrationResponse(json: body)
    let made = try relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: pending.removeValue(forKey: session) ?? []),
      existing: CredentialLookup(credentials[response.id]), at: .now
    ).credential
    credentials[made.record.id] = made
  }

  private func signInOptions(_ session: String) throws -> [UInt8] {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: .now)
    pending[session] = begun.pending.bytes
    return begun.options.json
  }

  private func finishSignIn(_ body: [UInt8], _ session: String) throws -> String {
    struct Unknown: Error {}
    let response = try AuthenticationResponse(json: body)
    guard let stored = credentials[response.id], let name = users[stored.user] else { throw Unknown() }
    credentials[response.id] =
      try relyingParty.finishAuthentication(
        response, pending: PendingAuthentication(taken: pending.removeValue(forKey: session) ?? []),
        credential: stored, at: .now
      ).credential
    signedIn[session] = name
    return name
  }
}
