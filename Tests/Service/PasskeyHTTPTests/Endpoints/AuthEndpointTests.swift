// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

struct AuthEndpointTests {
  @Test func `a user creates an account, signs in and signs out`() async throws {
    try await Scenarios.signUpAndIn(EndpointWorld())
  }

  @Test func `replayed, crossed, expired and foreign responses are refused`() async throws {
    try await Scenarios.ceremoniesRefused(EndpointWorld())
  }

  @Test func `a pending account gets no session before it is approved`() async throws {
    try await Scenarios.approval(EndpointWorld { $0.signUp = .approval })
  }

  @Test func `an account cannot be created without an invitation`() async throws {
    try await Scenarios.invitation(EndpointWorld { $0.signUp = .invitation })
  }

  @Test func `an unused session ends`() async throws {
    try await Scenarios.idle(EndpointWorld { $0.sessions.idleLimit = .seconds(150) })
  }

  @Test func `an unknown address gets the same answer as a known one`() async throws {
    let world = try EndpointWorld()
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let known = try await Visitor(world, ada.email).ask(.signInOptions, "", #"{"email":"ada@example.org"}"#)
    let unknown = try await Visitor(world, "x@example.org").ask(.signInOptions, "", #"{"email":"x@example.org"}"#)
    #expect(known.expect(200).body.count > 100)
    #expect(unknown.status == 200)
    #expect(try known.count("allowCredentials") > 0)
    #expect(try unknown.count("allowCredentials") > 0)
  }

  @Test func `renewing a session replaces its token, and an old refresh token ends it`() async throws {
    try await Scenarios.renewal(EndpointWorld { $0.sessions.renewal = .init() })
  }
}

extension Scenarios {
  static func signUpAndIn(_ world: EndpointWorld) async throws {
    var ada = try Visitor(world, "ada@example.org")
    let made = try await ada.signUp().expect(200)
    #expect(try made["tokenType"] == "Bearer")
    #expect(try made["expiresAt"] == (EndpointWorld.start + Duration.seconds(900)).description)
    #expect(made.header("session-expires-at") == (EndpointWorld.start + Duration.seconds(900)).description)
    #expect(made.header("session-expires-in") == nil)
    ada.take(made)
    let me = try await ada.ask(.me).expect(200)
    #expect(try me["account", "email"] == "ada@example.org")
    #expect(try me["account", "id"] == ada.id)
    // Shortly before expiry, responses have a warning header; after expiry there is no session.
    world.pass(800)
    #expect(try await ada.ask(.me).expect(200).header("session-expires-in") == "100")
    world.pass(101)
    let over = try await ada.ask(.me)
    over.expect(401, "session.expired")
    #expect(over.header("www-authenticate") == #"Bearer error="invalid_token""#)
    ada.token = nil
    try await ada.ask(.me).expect(401, "session.unknown")
    ada.take(try await ada.signIn().expect(200))
    // Without an address, any passkey may sign in.
    let options = try await Visitor(world, "").ask(.signInOptions, "", "{}").expect(200)
    try await world.send(
      "POST", world.path(.signInVerify), #"{"credential":\#(ada.person.get(options.body))}"#
    ).expect(200)
    #expect(try await ada.ask(.sessions).expect(200).count("sessions") == 2)
    #expect(try await ada.ask(.signOut).expect(204).header("session-expires-at") == nil)
    try await ada.ask(.me).expect(401, "session.unknown")
    #expect(world.metrics.text.contains(#"passkey_ceremonies_total{endpoint="sign-in-verify",outcome="success"} 2"#))
    #expect(world.metrics.text.contains(#"passkey_sessions_opened_total{endpoint="register-verify"} 1"#))
  }

  static func ceremoniesRefused(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    var bob = try await Visitor.signedIn(world, "bob@example.org")
    let nobody = try Visitor(world, "eve@example.org")

    // Registration: replayed, for a taken address, expired, with an invalid token, code, address or name.
    let options = try await nobody.registerOptions().expect(200)
    let response = try await nobody.person.create(options.body)
    try await nobody.ask(.registerVerify, "", response).expect(200)
    try await nobody.ask(.registerVerify, "", response).expect(410, "sign-up.ceremony-unknown")
    try await Visitor(world, "ada@example.org").signUp().expect(403, "sign-up.refused")
    let late = try Visitor(world, "late@example.org")
    let lateResponse = try await late.person.create(late.registerOptions().body)
    world.pass(600)
    try await late.ask(.registerVerify, "", lateResponse).expect(410, "sign-up.ceremony-unknown")
    var stranger = nobody
    stranger.token = String(repeating: "A", count: 43)
    try await stranger.registerOptions().expect(401, "session.unknown")
    try await stranger.ask(.registerVerify, "", response).expect(401, "session.unknown")
    try await nobody.registerOptions(code: "00000-00000-00000-00000-00000").expect(403, "sign-up.code-refused")
    try await nobody.registerOptions(code: "short").expect(400, "http.body-invalid-member")
    try await Visitor(world, "nowhere").registerOptions().expect(422, "account.email-invalid")
    let named = #"{"name":" ","credential":\#(response)}"#
    try await nobody.ask(.registerVerify, "", named).expect(422, "passkey.name-invalid")

    // Sign-in: replayed, mixed with a registration and a step-up, another user's credential, another origin.
    let anonymous = try Visitor(world, "ada@example.org")
    let first = try await ada.person.get(anonymous.ask(.signInOptions, "", #"{"email":"ada@example.org"}"#).body)
    try await anonymous.ask(.signInVerify, "", first).expect(200)
    try await anonymous.ask(.signInVerify, "", first).expect(410, "sign-in.ceremony-unknown")
    bob.token = nil
    bob.take(try await bob.signIn().expect(200))
    let crossed = try await bob.person.get(bob.stepUpOptions("DELETE", "/api/account", "").expect(200).body)
    try await anonymous.ask(.signInVerify, "", crossed).expect(410, "sign-in.ceremony-unknown")
    let open = try await anonymous.ask(.signInOptions, "", "{}").expect(200).body
    try await bob.ask(.stepUpVerify, "", bob.person.get(open)).expect(410, "step-up.ceremony-unknown")
    let elsewhere = try Person(at: "https://evil.example")
    let away = try await elsewhere.create(Visitor(world, "new@example.org").registerOptions().body)
    try await anonymous.ask(.registerVerify, "", away).expect(403, "service.origin-mismatch")
    try await anonymous.ask(.signInOptions, "", #"{"email":"nowhere"}"#).expect(422, "account.email-invalid")
    let forged = try await anonymous.ask(.signInOptions, "", "{}").expect(200).body
    let signed = try await ada.person.get(forged).replacing(#""signature":""#, with: #""signature":"AAAA"#)
    try await anonymous.ask(.signInVerify, "", signed).expect(401, "sign-in.refused")
    #expect(world.metrics.text.contains(#"outcome="authentication.signature-invalid""#))

    // Expired.
    let slow = try await ada.person.get(anonymous.ask(.signInOptions, "", "{}").expect(200).body)
    world.pass(600)
    try await anonymous.ask(.signInVerify, "", slow).expect(410, "sign-in.ceremony-unknown")
    bob.token = nil
    bob.take(try await bob.signIn().expect(200))

    // A disabled account is reported only to its owner.
    let handle = try UserHandle(base64URL: bob.id)
    try await world.service.change(handle, .disable, by: .console, in: world.console)
    try await bob.ask(.me).expect(401, "session.unknown")
    bob.token = nil
    try await bob.signIn().expect(403, "sign-in.account-disabled")
  }

  static func approval(_ world: EndpointWorld) async throws {
    let ada = try Visitor(world, "ada@example.org")
    let made = try await ada.signUp().expect(202)
    #expect(try made["account", "state"] == "pending")
    #expect((try? made["token"]) == nil)
    try await ada.signIn().expect(403, "sign-in.account-pending")
    // The address is taken now, which the response does not reveal.
    let taken = try await Visitor(world, "ada@example.org").signUp().expect(202)
    #expect(taken.body.utf8.count == made.body.utf8.count)
    #expect(try taken["account", "state"] == "pending")
    let root = try await Visitor.administrator(world)
    let id = try made["account", "id"]
    #expect(try await root.ask("GET", "/api/admin/users?state=pending").expect(200).count("users") == 1)
    #expect(try await root.askConfirmed(.approveUser, id).expect(200)["account", "state"] == "active")
    try await root.askConfirmed(.approveUser, id).expect(409, "account.state-conflict")
    try await ada.signIn().expect(200)
    let eve = try Visitor(world, "eve@example.org")
    let rejected = try await eve.signUp().expect(202)["account", "id"]
    #expect(try await root.askConfirmed(.rejectUser, rejected).expect(200)["account", "state"] == "rejected")
    try await eve.signIn().expect(403, "sign-in.account-rejected")
  }

  static func idle(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    world.pass(100)
    try await ada.ask(.me).expect(200)
    world.pass(200)
    try await ada.ask(.me).expect(401, "session.idle")
  }

  static func invitation(_ world: EndpointWorld) async throws {
    let ada = try Visitor(world, "ada@example.org")
    try await ada.registerOptions().expect(403, "sign-up.invitation-required")
    try await ada.ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#).expect(403, "sign-up.invitation-required")
    let code = try await world.service.invite(nil, by: .console, in: world.console)
    world.pass(8 * 86_400)
    try await ada.registerOptions(code: code.exposedText).expect(403, "sign-up.code-refused")
    let good = try await world.service.invite(nil, by: .console, in: world.console).exposedText
    try await ada.signUp(code: good).expect(200)
    try await Visitor(world, "bob@example.org").registerOptions(code: good).expect(403, "sign-up.code-refused")
  }

  static func renewal(_ world: EndpointWorld) async throws {
    var ada = try Visitor(world, "ada@example.org")
    let made = try await ada.signUp().expect(200)
    let old = try made["refreshToken"]
    world.pass(1_000)
    let renewed = try await ada.ask(.refresh, "", #"{"refreshToken":"\#(old)"}"#).expect(200)
    ada.take(renewed)
    try await ada.ask(.me).expect(200)
    // The same client may repeat the renewal for ten seconds.
    let repeated = try await ada.ask(.refresh, "", #"{"refreshToken":"\#(old)"}"#).expect(200)
    for member in ["token", "refreshToken", "expiresAt", "refreshExpiresAt"] {
      #expect(try repeated[member] == renewed[member])
    }
    world.pass(11)
    try await ada.ask(.refresh, "", #"{"refreshToken":"\#(old)"}"#).expect(401, "session.renewal-refused")
    try await ada.ask(.me).expect(401, "session.unknown")
    try await ada.ask(.refresh, "", #"{"refreshToken":"none"}"#).expect(401, "session.renewal-refused")
    #expect(world.metrics.text.contains(#"code="session.refresh-token-reused""#))
  }
}
