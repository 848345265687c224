// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

struct EmailEndpointTests {
  @Test func `a registration is finished with the code of the mail`() async throws {
    try await Scenarios.verifiedSignUp(EndpointWorld { Scenarios.mailing(&$0, .required) })
  }

  @Test func `a taken address is a conflict for the owner of its mailbox`() async throws {
    try await Scenarios.conflicts(EndpointWorld { Scenarios.mailing(&$0, .required) })
  }

  @Test func `a sign-in before the verification begins another one`() async throws {
    try await Scenarios.firstUse(EndpointWorld { Scenarios.mailing(&$0, .beforeFirstUse) })
  }

  @Test func `an address is verified and changed in a session`() async throws {
    try await Scenarios.addresses(EndpointWorld { Scenarios.mailing(&$0, .off) })
  }

  @Test func `an account is recovered by mail after a waiting period, unless that is cancelled`() async throws {
    try await Scenarios.mailedRecovery(
      EndpointWorld { Scenarios.mailing(&$0, .off, recovery: .email(waiting: .seconds(3_600))) })
  }

  @Test func `a server without mail says so`() async throws {
    try await Scenarios.withoutMail(EndpointWorld())
  }

  @Test(arguments: [ServicePolicy.Contact.EmailVerification.required, .beforeFirstUse], ["raxx", "aiday"])
  func `registrations of free and taken addresses get the same reply`(
    rule: ServicePolicy.Contact.EmailVerification, name: String
  ) async throws {
    let profile = try #require(ServiceProfile.builtIn.first { $0.name == name })
    let world = try EndpointWorld(profile) {
      Scenarios.mailing(&$0, rule)
      $0.signUp = .open
    }
    let ada = try Visitor(world, "ada@example.org")
    let first = try await ada.signUp().expect(202)
    if rule == .required { _ = try await world.verify(first, at: ada).expect(200) }
    // A taken and a free address, whose user names are free.
    var replies: [Reply] = []
    for email in ["ada@example.org", "bob@example.org"] {
      let visitor = try Visitor(world, email, username: "user-\(email.prefix(3))")
      let answer = try await visitor.signUp()
      let token = try #require(try? answer["verification", "token"])
      #expect(token.utf8.count == 43)
      let fields = answer.fields.filter { !["date", "x-request-id"].contains($0.name) }
      let body = answer.body.split(separator: token, maxSplits: 1).joined(separator: "TOKEN")
      replies.append(Reply(status: answer.status, fields: fields.map { "\($0.name): \($0.value)" }, body: body))
    }
    #expect(replies[0] == replies[1])
    #expect(replies[0].status == 202)
  }

  /// The parts of a response that an outsider sees.
  private struct Reply: Equatable {
    let status: Int
    let fields: [String]
    let body: String
  }

  @Test(arguments: ["ada@example.org", "nobody@example.org"])
  func `a request for a recovery mail gets the same reply for any address`(email: String) async throws {
    for (profile, path) in [(ServiceProfile.raxx, "/api/auth/recovery"), (.aiday, "/auth/forgot-password")] {
      let world = try EndpointWorld(profile) {
        Scenarios.mailing(&$0, .off, recovery: .email(waiting: .seconds(3_600)))
        $0.signUp = .open
      }
      _ = try await Visitor(world, "ada@example.org").signUp().expect(200)
      let answer = try await world.send("POST", path, #"{"email":"\#(email)"}"#).expect(204)
      #expect(answer.body.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a profile can answer a request for a recovery as if mail was sent`(sendsMail: Bool) async throws {
    for (profile, path, status) in [
      (ServiceProfile.raxx, "/api/auth/recovery", 404), (.aiday, "/auth/forgot-password", 204),
    ] {
      let world = try EndpointWorld(profile) {
        if sendsMail { Scenarios.mailing(&$0, .off) }
        $0.signUp = .open
      }
      _ = try await Visitor(world, "ada@example.org").signUp().expect(200)
      _ = try await world.takeMails()
      for email in ["ada@example.org", "nobody@example.org"] {
        try await world.send("POST", path, #"{"email":"\#(email)"}"#).expect(status)
      }
      #expect(try await world.takeMails().isEmpty)
    }
  }

  @Test func `only an invitation for an address needs no budget of mails`() async throws {
    var limits = Endpoints.Limits.none
    limits.mailsPerAddress = RateLimit(burst: 1, then: .seconds(600))
    let world = try EndpointWorld(limits: limits) { Scenarios.mailing(&$0, .required) }
    _ = try await Visitor(world, "ada@example.org").signUp().expect(202)
    let bob = try Visitor(world, "bob@example.org")
    try await bob.registerOptions().expect(429, "http.too-many-requests")
    let code = try await world.service.invite(
      EmailAddress("bob@example.org"), by: .console, in: world.console
    ).exposedText
    // Its holder could send mails to any address.
    let open = try await world.service.invite(nil, by: .console, in: world.console).exposedText
    try await bob.registerOptions(code: open).expect(429, "http.too-many-requests")
    _ = try await bob.signUp(code: code).expect(200)
  }

  @Test func `ending the other sessions, or a passkey, ends a pending change of the address`() async throws {
    let world = try EndpointWorld { Scenarios.mailing(&$0, .off) }
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    /// Begins a change; returns what the holder of the code needs.
    func beginChange() async throws -> (token: String, code: String) {
      let begun = try await ada.askConfirmed(.changeEmail, "", #"{"email":"thief@example.org"}"#).expect(200)
      let code = try #require(try await world.takeMails().last { $0.address == "thief@example.org" }?.code)
      return (try begun["verification", "token"], code.exposedText)
    }
    let thief = try Visitor(world, "thief@example.org")
    let first = try await beginChange()
    try await ada.ask("DELETE", "/api/auth/sessions?others=true").expect(200)
    try await thief.verify(first.token, first.code).expect(410, "email.verification-unknown")
    // A passkey that may have confirmed the change is deleted.
    let options = try await ada.additionOptions()
    let added = try await ada.ask(.registerVerify, "", Person().create(options.body)).expect(200)
    let second = try await beginChange()
    try await ada.askConfirmed(.deleteCredential, added["credential", "id"]).expect(204)
    try await thief.verify(second.token, second.code).expect(410, "email.verification-unknown")
    #expect(try await ada.ask(.me).expect(200)["account", "email"] == "ada@example.org")
  }

  @Test func `a recovery ends all other codes of the account`() async throws {
    let world = try EndpointWorld {
      Scenarios.mailing(&$0, .off, recovery: .email(waiting: .seconds(3_600)))
      $0.signUp = .open
    }
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let issued = try await world.service.recover(
      UserHandle(base64URL: ada.id), by: .console, in: world.console
    ).exposedText
    try await world.send("POST", "/api/auth/recovery", #"{"email":"ada@example.org"}"#).expect(204)
    let mailed = try await world.mailedCode(.recoveryRequested).exposedText
    var owner = try Visitor(world, "ada@example.org")
    owner.take(try await owner.signUp(code: issued).expect(200))
    #expect(owner.id == ada.id)
    world.pass(3_600)
    try await Visitor(world, "ada@example.org").registerOptions(code: mailed).expect(403, "sign-up.code-refused")
    try await Visitor(world, "ada@example.org").registerOptions(code: issued).expect(403, "sign-up.code-refused")
  }

  @Test func `an administrator invites by mail, and the response has no code`() async throws {
    let world = try EndpointWorld {
      Scenarios.mailing(&$0, .required, recovery: .email(waiting: .seconds(3_600)))
      $0.signUp = .invitation
      $0.contact.invitations = .email
    }
    let root = try await Visitor.administrator(world)
    _ = try await world.takeMails()
    let invited = try await root.askConfirmed(
      .inviteUser, "new", #"{"email":"ada@example.org","roles":["trader"],"byMail":true}"#
    ).expect(200)
    #expect(!invited.body.contains(#""code""#) && invited.body.contains(#""expiresAt""#))
    let mails = try await world.takeMails()
    let code = try #require(mails.last?.code?.exposedText)
    let made = try await Visitor(world, "ada@example.org").signUp(code: code).expect(200)
    #expect(made.body.contains(#""emailVerifiedAt""#) && made.body.contains(#""roles":["trader"]"#))
    try await root.askConfirmed(.inviteUser, "new", #"{"byMail":true}"#).expect(400, "http.body-missing-member")
    let withoutMail = try EndpointWorld()
    try await Visitor.administrator(withoutMail).askConfirmed(
      .inviteUser, "new", #"{"email":"ada@example.org","byMail":true}"#
    ).expect(404, "email.unavailable")
  }

  @Test func `requests that send mails are limited by address and by recipient`() async throws {
    var limits = Endpoints.Limits.none
    limits.mailsPerAddress = RateLimit(burst: 3, then: .seconds(600))
    limits.perAccount = RateLimit(burst: 2, then: .seconds(600))
    let world = try EndpointWorld(limits: limits) {
      Scenarios.mailing(&$0, .off, recovery: .email(waiting: .seconds(3_600)))
    }
    func request(_ email: String) async throws -> Answer {
      try await world.send("POST", "/api/auth/recovery", #"{"email":"\#(email)"}"#)
    }
    try await request("ada@example.org").expect(204)
    try await request("ADA@example.org").expect(204)
    try await request("ada@example.org").expect(429, "http.too-many-requests")
    // The client's own budget is spent, for any recipient.
    try await request("bob@example.org").expect(429, "http.too-many-requests")
    world.pass(600)
    try await request("cy@example.org").expect(204)
  }
}

extension Scenarios {
  static let mail = DestinationName(rawValue: "mail")

  static func mailing(
    _ policy: inout ServicePolicy, _ verification: ServicePolicy.Contact.EmailVerification,
    recovery: ServicePolicy.Contact.EmailRecovery = .administrator
  ) {
    policy.destinations = [NoticeDestination(mail, events: ["*"])]
    policy.contact.verification = verification
    policy.contact.recovery = recovery
  }

  static func verifiedSignUp(_ world: EndpointWorld) async throws {
    var ada = try Visitor(world, "ada@example.org")
    let begun = try await ada.signUp().expect(202)
    #expect(
      (try? begun["account", "id"]) == nil && (try? begun["token"]) == nil && (try? begun["credential", "id"]) == nil)
    let token = try begun["verification", "token"]

    // Wrong tokens and codes.
    let code = try await world.mailedCode(.emailVerificationRequested).exposedText
    let wrong = code == "0000-0000" ? "0000-0001" : "0000-0000"
    try await ada.verify(String(repeating: "A", count: 43), code).expect(410, "email.verification-unknown")
    try await ada.verify("x", code).expect(410, "email.verification-unknown")
    try await ada.verify(token, "x").expect(400, "http.body-invalid-member")
    let refused = try await ada.verify(token, wrong)
    refused.expect(403, "email.code-refused")
    #expect(refused.body.contains(#""attemptsLeft":4"#))

    // The code is sent again.
    try await ada.ask(.resendVerification, "", #"{"token":"x"}"#).expect(410, "email.verification-unknown")
    let again = try await ada.ask(.resendVerification, "", #"{"token":"\#(token)"}"#).expect(200)
    let latest = try await world.mailedCode(.emailVerificationRequested)
    let verified = try await ada.verify(again["verification", "token"], latest.exposedText).expect(200)
    ada.take(verified)
    #expect(try verified["account", "email"] == "ada@example.org")
    #expect(try verified["account", "emailVerifiedAt"] == world.now.description)
    #expect(try verified["signal", "name"] == "ada@example.org")
    try await ada.ask(.me).expect(200)
    try await ada.verify(token, latest.exposedText).expect(410, "email.verification-unknown")
    try await ada.ask(.beginVerification).expect(409, "email.already-verified")
  }

  /// Conflicts: the own address, and one that another registration took meanwhile.
  static func conflicts(_ world: EndpointWorld) async throws {
    let (first, second) = (try Visitor(world, "ada@example.org"), try Visitor(world, "ada@example.org"))
    let token = try await first.signUp().expect(202)["verification", "token"]
    let code = try await world.mailedCode(.emailVerificationRequested).exposedText
    var ada = second
    ada.take(try await world.verify(second.signUp().expect(202), at: second).expect(200))
    try await first.verify(token, code).expect(409, "account.email-taken")
    try await ada.askConfirmed(.changeEmail, "", #"{"email":"ada@example.org"}"#).expect(409, "account.email-taken")
  }

  /// Each successful answer, for accounts that an administrator approves.
  static func mailTour(_ world: EndpointWorld) async throws {
    let root = try await Visitor.administrator(world)
    var ada = try Visitor(world, "ada@example.org")
    let token = try await ada.signUp().expect(202)["verification", "token"]
    try await ada.ask(.beginSignUp, "", #"{"email":"ada@example.org"}"#).expect(200)
    let again = try await ada.ask(.resendVerification, "", #"{"token":"\#(token)"}"#).expect(200)
    let id = try await world.verify(again, at: ada).expect(202)["account", "id"]
    try await root.askConfirmed(.approveUser, id).expect(200)
    ada.take(try await ada.signIn().expect(200))
    try await world.verify(root.ask(.beginVerification).expect(200), at: root).expect(200)
    try await ada.askConfirmed(.changeEmail, "", #"{"email":"lovelace@example.org"}"#).expect(200)
    try await ada.ask(.requestRecovery, "", #"{"email":"ada@example.org"}"#).expect(204)
    try await ada.ask(.cancelRecovery, "", "{}").expect(204)
  }

  static func firstUse(_ world: EndpointWorld) async throws {
    let ada = try Visitor(world, "ada@example.org")
    _ = try await ada.signUp().expect(202)
    _ = try await world.takeMails()
    let refused = try await ada.signIn()
    refused.expect(403, "sign-in.email-unverified")
    #expect(try !refused["verification", "expiresAt"].isEmpty)
    let code = try await world.mailedCode(.emailVerificationRequested).exposedText
    let verified = try await ada.verify(refused["verification", "token"], code).expect(200)
    // No session: the user signs in.
    #expect((try? verified["token"]) == nil)
    try await ada.signIn().expect(200)
  }

  static func addresses(_ world: EndpointWorld) async throws {
    var ada = try await Visitor.signedIn(world, "ada@example.org")
    let begun = try await ada.ask(.beginVerification).expect(200)
    let own = try await world.mailedCode(.emailVerificationRequested).exposedText
    let verified = try await ada.verify(begun["verification", "token"], own).expect(200)
    #expect(try verified["account", "emailVerifiedAt"] == world.now.description)

    let body = #"{"email":"lovelace@example.org"}"#
    try await ada.ask(.changeEmail, "", body).expect(401, "step-up.required")
    try await ada.askConfirmed(.changeEmail, "", #"{"email":"x"}"#).expect(422, "account.email-invalid")
    let change = try await ada.askConfirmed(.changeEmail, "", body).expect(200)
    let mails = try await world.takeMails()
    let code = try #require(mails.last { $0.address == "lovelace@example.org" }?.code)
    // The old address is informed at once.
    #expect(mails.contains { $0.address == "ada@example.org" && $0.code == nil })
    let changed = try await ada.verify(change["verification", "token"], code.exposedText).expect(200)
    #expect(try changed["account", "email"] == "lovelace@example.org")
    #expect(try changed["signal", "name"] == "lovelace@example.org")
    #expect(try await ada.ask(.me).expect(200)["account", "email"] == "lovelace@example.org")
    ada.token = nil
    try await Visitor(world, "bob@example.org").ask(.beginVerification).expect(401, "session.unknown")
  }

  static func mailedRecovery(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.cancelRecovery, "", "{}").expect(404, "account.recovery-unknown")
    let body = #"{"email":"ada@example.org"}"#
    try await world.send("POST", "/api/auth/recovery", #"{"email":"x"}"#).expect(422, "account.email-invalid")
    try await world.send("POST", "/api/auth/recovery", body).expect(204)
    let first = try await world.mailedCode(.recoveryRequested)
    try await ada.ask(.cancelRecovery, "", "{}").expect(204)
    try await Visitor(world, "ada@example.org").registerOptions(code: first.exposedText)
      .expect(403, "sign-up.code-refused")

    // Cancelled with the code from the mail.
    try await world.send("POST", "/api/auth/recovery", body).expect(204)
    let second = try await world.mailedCode(.recoveryRequested)
    let cancellation = try #require(second.exposedCancellation)
    let cancel = "/api/auth/recovery/cancel"
    try await world.send("POST", cancel, #"{"code":"x"}"#).expect(400, "http.body-invalid-member")
    try await world.send("POST", cancel, #"{"code":"\#(cancellation)"}"#).expect(204)
    try await world.send("POST", cancel, #"{"code":"\#(cancellation)"}"#).expect(404, "account.recovery-unknown")
    try await world.send("POST", cancel, "{}").expect(401, "session.unknown")

    // Used too early, then in time.
    try await world.send("POST", "/api/auth/recovery", body).expect(204)
    let third = try await world.mailedCode(.recoveryRequested).exposedText
    var lost = try Visitor(world, "ada@example.org")
    let early = try await lost.registerOptions(code: third)
    early.expect(403, "sign-up.code-too-early")
    #expect(try early["notBefore"] == (world.now + .seconds(3_600)).description)
    world.pass(3_600)
    lost.take(try await lost.signUp(code: third).expect(200))
    #expect(lost.id == ada.id)
    try await ada.ask(.me).expect(401, "session.unknown")
  }

  static func withoutMail(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let body = #"{"email":"ada@example.org"}"#
    try await ada.ask(.beginVerification).expect(404, "email.unavailable")
    try await ada.ask(.beginSignUp, "", #"{"email":"b@example.org"}"#).expect(404, "email.unavailable")
    try await ada.askConfirmed(.changeEmail, "", #"{"email":"b@example.org"}"#).expect(404, "email.unavailable")
    try await world.send("POST", "/api/auth/recovery", body).expect(404, "account.recovery-unavailable")
  }
}

/// A mail that a deliverer would send.
struct SentMail {
  let event: NoticeEvent
  let address: String?
  let code: MailedCode?
}

extension EndpointWorld {
  /// Returns and removes the mails of the outbox, oldest first.
  func takeMails() async throws -> [SentMail] {
    var mails: [SentMail] = []
    let selection = OutboxSelection(destination: Scenarios.mail)
    for item in try await service.outboxItems(selection, limit: 1_000) {
      let contact = try await service.contact(of: item.notice, withDevices: false, at: now)
      mails.append(SentMail(event: item.notice.event, address: contact.email?.text, code: contact.code))
    }
    _ = try await service.drop(selection, at: now)
    return mails
  }

  /// Returns the code of the latest mail of an event, and removes all mails.
  func mailedCode(_ event: NoticeEvent) async throws -> MailedCode {
    try #require(try await takeMails().last { $0.event == event }?.code)
  }

  /// Finishes the verification that a registration began.
  func verify(_ begun: Answer, at visitor: Visitor) async throws -> Answer {
    let code = try await mailedCode(.emailVerificationRequested).exposedText
    return try await visitor.verify(begun["verification", "token"], code)
  }
}

extension Visitor {
  /// Finishes a verification with the code of a mail.
  func verify(_ token: String, _ code: String) async throws -> Answer {
    try await ask(.verifyEmail, "", #"{"token":"\#(token)","code":"\#(code)"}"#)
  }
}
