// SPDX-License-Identifier: Apache-2.0

import PasskeyStorage
import ServiceTestSupport
import Testing
import WebAuthnTypes
import WireFormats

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
      (["botEventsEnabled": false], [.accountCreated, .credentialRegistered, .sessionNewClient, .sessionOpened]),
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
}
