// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// The members of a profile that the client reads.
struct ServiceProfileClientTests {
  private static func profile(_ members: String) throws(ProfileError) -> ServiceProfile {
    try ServiceProfile(json: Array(#"{"name":"x",\#(members)}"#.utf8))
  }

  private static func body(_ request: ServerRequest) -> String { String(decoding: request.body, as: UTF8.self) }

  @Test func `a client presents a token where the server has tokens`() throws {
    #expect(ServiceProfile.raxx.presentation == .bearer && ServiceProfile.aiday.presentation == .bearer)
    #expect(ServiceProfile.yapt.presentation == .cookie(name: "yapt.sid"))
    let none = try Self.profile(#""sessions":{"deliveries":[]},"endpoints":{"health":"GET /h"}"#)
    #expect(none.presentation == .nothing)
  }

  @Test func `a client asks for a token only where the server could set a cookie`() throws {
    func fields(_ profile: ServiceProfile) throws -> [String: String] {
      let request = try PasskeyOwner().handshake(profile, at: "https://raxx.app").request(.signOut)
      return Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
    }
    #expect(try fields(.raxx) == ["passkey-tokens": "bearer"])
    #expect(try fields(.aiday) == [:])
    #expect(try fields(.yapt) == ["origin": "https://raxx.app"])
  }

  @Test(arguments: [
    (ServiceProfile.raxx, "ada@raxx.app", nil, #"{"email":"ada@raxx.app"}"#),
    (.yapt, "ada of the sea", nil, #"{"username":"ada of the sea"}"#),
    (.yapt, "ada@raxx.app", nil, #"{"username":"ada@raxx.app"}"#),
    (.aiday, "ada", "ada@raxx.app", #"{"username":"ada","email":"ada@raxx.app"}"#),
  ])
  func `a registration sends the names that the server takes`(
    profile: ServiceProfile, name: String, email: String?, body: String
  ) throws {
    let handshake = try PasskeyOwner().handshake(profile, at: "https://raxx.app")
    let request = try handshake.makeBeginRequest(.registerOptions, of: UserNames(name: name, email: email))
    #expect(Self.body(request) == body)
  }

  @Test func `a sign-in sends either name where the server takes both`() throws {
    let handshake = try PasskeyOwner().handshake(.aiday, at: "https://raxx.app")
    for name in ["ada", "ada@raxx.app"] {
      #expect(
        try Self.body(handshake.makeBeginRequest(.signInOptions, of: UserNames(name: name)))
          == #"{"username":"\#(name)"}"#)
    }
    #expect(try Self.body(handshake.makeBeginRequest(.signInOptions, of: UserNames())) == "{}")
  }

  @Test(arguments: [
    (
      ServiceProfile.aiday, EndpointName.registerOptions, UserNames(name: "ada"),
      "the server requires an email address"
    ),
    (.aiday, .registerOptions, UserNames(name: "ada@raxx.app"), "the server requires a user name"),
    (.yapt, .signInOptions, UserNames(), "the server requires a user name"),
  ])
  func `a missing name is an error before anything is sent`(
    profile: ServiceProfile, endpoint: EndpointName, names: UserNames, detail: String
  ) throws {
    let handshake = try PasskeyOwner().handshake(profile, at: "https://raxx.app")
    let error = #expect(throws: ClientError.self) { try handshake.makeBeginRequest(endpoint, of: names) }
    #expect(error?.code == .nameMissing && error?.detail == detail)
  }

  @Test func `an account is known by the name that the user gave`() throws {
    var values = ShapeValues()
    values.set(.accountUsername, "ada")
    values.set(.accountEmail, "ada@raxx.app")
    values.set(.accountIsAdministrator, true)
    #expect(ServerAccount(values, of: nil).address == "ada" && ServerAccount(values, of: nil).roles == ["admin"])
    #expect(ServerAccount(values, of: "ADA@raxx.app").address == "ada@raxx.app")
    #expect(ServerAccount(values, of: "someone else").address == "ada")
    #expect(
      ServerAccount(ShapeValues(), of: "ada").address == "ada" && ServerAccount(ShapeValues(), of: nil).roles == [])
  }

  @Test func `a reply without members that the client does not need is read`() async throws {
    let server = try FaultServer(.answer("200 OK", #"{"account":{"email":"ada@raxx.app"}}"#))
    let handshake = try PasskeyOwner().handshake(.raxx, at: server.address)
    let stored = #"{"version":1,"server":"\#(server.address)","profile":"raxx","token":"t"}"#
    var session = try ServerSession(json: Array(stored.utf8)[...])
    let known = try await handshake.whoAmI(in: &session)
    #expect(known.account.address == "ada@raxx.app" && known.account.id == nil && known.expiry == nil)
  }

  @Test func `a refusal is read by the error shape of the profile`() async throws {
    let profile = try Self.profile(
      #""errors":{"shape":{"fault":{"reason":"$error.title","id":"$error.code"}}},"endpoints":{"me":"GET /me"}"#)
    let server = try FaultServer(.answer("403 Forbidden", #"{"fault":{"reason":"Not today","id":"shop.closed"}}"#))
    let handshake = try PasskeyOwner().handshake(profile, at: server.address)
    let stored = #"{"version":1,"server":"\#(server.address)","profile":"x","token":"t"}"#
    var session = try ServerSession(json: Array(stored.utf8)[...])
    let error = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &session) }
    #expect(error?.problem?.code == "shop.closed" && error?.problem?.title == "Not today")
    #expect(error?.problem?.description == "shop.closed: Not today")
  }

  @Test func `other sessions are not ended where that would end this one too`() async throws {
    let profile = try Self.profile(#""endpoints":{"revoke-sessions":{"route":"DELETE /all","query":{}}}"#)
    let server = try FaultServer(.answer())
    let handshake = try PasskeyOwner().handshake(profile, at: server.address)
    let stored = #"{"version":1,"server":"\#(server.address)","profile":"x","token":"t"}"#
    var session = try ServerSession(json: Array(stored.utf8)[...])
    let error = await #expect(throws: ClientError.self) { try await handshake.revokeOtherSessions(in: &session) }
    #expect(error?.code == .profileInvalid && server.requests.isEmpty)
  }

  @Test func `the wire of a verification of a restored session`() async throws {
    let owner = try PasskeyOwner()
    let world = try ServerWorld(.raxx)
    _ = try await owner.handshake(.raxx, at: world.address).register(user: "ada@example.org")
    let server = try FaultServer { (request, _) in
      request.contains("/reverify/options")
        ? .answer("200 OK", #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","rpId":"raxx.app"}"#)
        : .answer("200 OK", #"{"account":{"email":"ada@example.org"},"expiresAt":"2030-01-01T00:00:00Z"}"#)
    }
    let handshake = try owner.handshake(.raxx, at: server.address)
    let stored = #"{"version":1,"server":"\#(server.address)","profile":"raxx","token":"t"}"#
    var session = try ServerSession(json: Array(stored.utf8)[...])
    let known = try await handshake.reverify(in: &session)
    #expect(known.account.address == "ada@example.org" && session.token == SecretBytes(utf8: "t"))
    #expect(session.expiry == (try UnixTime(rfc3339: "2030-01-01T00:00:00Z")))
    #expect(
      server.requests.map { $0.prefix { $0 != "\r\n" } } == [
        "POST /api/auth/reverify/options HTTP/1.1", "POST /api/auth/reverify/verify HTTP/1.1",
      ])
    #expect(server.requests.allSatisfy { $0.lowercased().contains("authorization: bearer t\r\n") })
    #expect(server.requests[1].contains(#"{"credential":{"id":"#))
  }
}
