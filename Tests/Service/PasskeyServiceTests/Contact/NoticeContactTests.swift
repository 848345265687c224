// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The recipients of notices: preferences, and new sign-ins.
struct NoticeContactTests {
  @Test(
    arguments: [
      (["session.opened": false], [NoticeEvent.accountCreated, .credentialRegistered, .sessionNewClient]),
      (["session.*": false], [.accountCreated, .credentialRegistered]),
      (["session.*": false, "session.opened": true], [.accountCreated, .credentialRegistered, .sessionOpened]),
      (["account.*": false], [.credentialRegistered, .sessionNewClient, .sessionOpened]),
      (
        ["credential.registered": false, "credential.*": false],
        [.accountCreated, .credentialRegistered, .sessionNewClient, .sessionOpened]
      ),
      (
        ["bot.*": false, "report.*": false],
        [.accountCreated, .credentialRegistered, .sessionNewClient, .sessionOpened]
      ),
    ] as [([String: Bool], [NoticeEvent])])
  func `a notice that its recipient has switched off is not sent`(
    _ choices: [String: Bool], _ expected: [NoticeEvent]
  ) async throws {
    let world = try ServiceWorld.mailing(.off, events: ["*"])
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    _ = try await world.service.registerDevice(.apns, token: "a1", by: session, in: world.at())
    _ = try await world.signIn("ada@raxx.app", ada)
    try await world.service.setPreferences(NotificationPreferences(choices), by: session, in: world.at())
    var sent: Set<NoticeEvent> = []
    for item in try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 99) {
      let contact = try await world.service.contact(of: item.notice, withDevices: true, at: world.at().time)
      #expect(contact.devices.isEmpty == (contact.email == nil))
      if contact.email != nil { sent.insert(item.notice.event) }
    }
    sent.remove(.deviceRegistered)
    #expect(sent == Set(expected))
  }

  @Test func `codes and warnings cannot be switched off`() async throws {
    for event in [NoticeEvent.recoveryRequested, .emailVerificationRequested, .securityAlert, .emailReplaced] {
      #expect(event.isMandatory)
    }
    #expect(!NoticeEvent.sessionNewClient.isMandatory && !NoticeEvent(rawValue: "order.filled").isMandatory)
  }

  @Test func `a sign-in from a new network is reported once`() async throws {
    let world = try ServiceWorld.mailing(.off, events: ["session.new-client"])
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let signIn = { (address: String?, seconds: Int) async throws -> [String] in
      var context = world.at(seconds)
      context.sourceAddress = address
      let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: context)
      _ = try await world.service.finishSignIn(ada.get(options), in: context)
      let notices = try await world.memory.outboxItems(OutboxSelection(), after: 0, limit: 9).map(\.notice)
      _ = try await world.memory.drop(OutboxSelection(), at: context.time)
      return try notices.map { try JSON.parse($0.data)["new"]?.string ?? "" }
    }
    let day = 86_400
    #expect(try await signIn(ServiceWorld.address, 1) == ["passkey"])
    #expect(try await signIn(ServiceWorld.address, 2) == [])
    #expect(try await signIn("198.51.100.1", 3) == ["client"])
    #expect(try await signIn("198.51.100.1", 4) == [])
    #expect(try await signIn(nil, 5) == [])
    // A client that stays away is forgotten, one that returns in time is not.
    #expect(try await signIn(ServiceWorld.address, 60 * day) == [])
    #expect(try await signIn(ServiceWorld.address, 120 * day) == [])
    #expect(try await signIn("198.51.100.1", 121 * day) == ["client"])
    let clients = try await world.memory.knownClients(of: made.account.handle)
    #expect(clients.count == 2 && clients.allSatisfy { $0.key.count == 8 })
    try await world.service.deleteExpired(at: world.at(400 * day).time)
    #expect(try await world.memory.knownClients(of: made.account.handle).isEmpty)
    // The first client of an account that has none is not reported.
    #expect(try await signIn(ServiceWorld.address, 401 * day) == [])
  }

  @Test func `no client is stored unless a destination wants to know`() async throws {
    let world = try ServiceWorld.mailing(.off)
    let made = try await world.signUp("ada@raxx.app", Person())
    #expect(try await world.memory.knownClients(of: made.account.handle).isEmpty)
  }

  @Test func `the first sign-in with a passkey is reported as new`() async throws {
    let world = try ServiceWorld.mailing(.off, events: ["session.*"])
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    #expect(try await world.takeMails().map(\.event) == [.sessionOpened])
    _ = try await world.signIn("ada@raxx.app", ada, at: 1)
    #expect(try await world.takeMails(at: 1).map(\.event) == [.sessionNewClient, .sessionOpened])
    _ = try await world.signIn("ada@raxx.app", ada, at: 2)
    #expect(try await world.takeMails(at: 2).map(\.event) == [.sessionOpened])
  }

  @Test func `the code of a mail has the language of the request that began it`() async throws {
    let world = try ServiceWorld.mailing(.required, recovery: .email(waiting: .zero)) {
      $0.contact.invitations = .email
    }
    var german = world.at()
    german.language = "de"
    let email = try EmailAddress("ada@raxx.app")
    let options = try await world.service.beginRegistration(email, in: german)
    let begun = try await world.service.finishRegistration(Person().create(options), in: german)
    let mail = try await world.takeMail(.emailVerificationRequested)
    #expect(mail.contact.code?.language == "de")
    _ = try await world.service.verifyEmail(
      #require(mail.code), token: #require(begun.verification?.token), in: world.at(1))
    _ = try await world.takeMails(at: 1)
    for language in [nil, "de"] {
      var context = world.at(2)
      context.language = language
      try await world.service.requestRecovery(of: email, in: context)
      #expect(try await world.takeMail(.recoveryRequested, at: 2).contact.code?.language == language)
      let handle = try #require(await world.memory.account(email: email)?.handle)
      _ = try await world.memory.cancelRecovery(of: handle, at: world.at(3).time, audit: [])
    }
    _ = try await world.service.inviteByMail(EmailAddress("ben@raxx.app"), by: .console, in: german)
    #expect(try await world.takeMail(.accountInvited).contact.code?.language == "de")
  }
}
