// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct AuthServiceAccountTests {
  @Test func `an export has all personal data of its owner, and no secret`() async throws {
    let world = try ServiceWorld()
    let person = try Person()
    let made = try await world.signUp("ada@raxx.app", person)
    let ada = try await world.session(made.opened)
    _ = try await world.signUp("ben@raxx.app", Person())
    try await world.service.registerDevice(.apns, token: "00ff", by: ada, in: world.at())
    // An action by another user, from that user's address.
    let administrator = CallContext(time: ServiceWorld.start, requestID: "r", sourceAddress: "203.0.113.5")
    try await world.memory.append([
      world.service.draft(
        .accountRolesSet, by: UserHandle([9]), of: ada.account.handle, subject: nil, in: administrator)
    ])
    let confirmation = try await world.confirm(ada, person)
    let export = try await world.service.export(ada, confirmation: confirmation, in: world.at(1))
    // A confirmation can be used once.
    await expect(.stepUpGrantRefused) {
      _ = try await world.service.export(ada, confirmation: confirmation, in: world.at(1))
    }
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) { _ = try await world.service.export(ada, confirmation: none, in: world.at(1)) }
    #expect(export.account == ada.account)
    #expect(export.passkeys.map(\.record.id) == [made.passkey.record.id])
    #expect(export.sessions == [ada.session])
    #expect(export.devices.map(\.token) == ["00ff"])
    #expect(
      export.trail.map(\.entry.record.event) == [
        .accountCreated, .credentialRegistered, .sessionOpened, .deviceRegistered, .accountRolesSet,
        .stepUpConfirmed, .stepUpSpent, .accountExported,
      ])
    let text = String(decoding: export.json, as: UTF8.self)
    #expect(try JSON.parse(export.json)["account"]?["email"]?.string == "ada@raxx.app")
    for part in ["00ff", ServiceWorld.address, "passkey-account", "\(made.passkey.record.id)"] {
      #expect(text.contains(part))
    }
    for part in ["ben@raxx.app", "203.0.113.5", try #require(made.opened).token.exposedText] {
      #expect(!text.contains(part))
    }
  }

  @Test func `an export has pending mails, known networks and the attestation`() async throws {
    let world = try ServiceWorld.mailing(.required, events: ["*"])
    let person = try Person()
    let made = try await world.signUpVerified("ada@raxx.app", person)
    let ada = try await world.session(world.signIn("ada@raxx.app", person, at: 1), at: 1)
    _ = try await world.service.changeEmail(
      to: EmailAddress("new@raxx.app"), by: ada, confirmation: world.confirm(ada, person), in: world.at(2))
    let export = try await world.service.export(ada, confirmation: world.confirm(ada, person), in: world.at(3))
    let document = try JSON.parse(export.json)
    let change = try document["emailCeremonies"]?.array.first { try $0["purpose"]?.string == "address-change" }
    #expect(try change?["email"]?.string == "new@raxx.app")
    #expect(try document["knownClients"]?.array.contains { (_) in true } == true)
    let passkey = try #require(try document["passkeys"]?.array.first { (_) in true })
    let object = try #require(made.passkey.record.attestationObject)
    #expect(try passkey["attestationObject"]?.string == Base64URL.encode(object))
    #expect(try passkey["uvInitialized"]?.bool == true)
  }

  @Test func `a long trail is exported completely`() async throws {
    let world = try ServiceWorld()
    let person = try Person()
    let ada = try await world.openSession("ada@raxx.app", person)
    for number in 0..<1100 {
      try await world.service.record(
        AuditEvent(rawValue: "order.placed"), by: ada, subject: (kind: "order", name: "\(number)"),
        in: world.at())
    }
    let export = try await world.service.export(ada, confirmation: world.confirm(ada, person), in: world.at())
    #expect(export.trail.count == 3 + 1100 + 3)
    #expect(Set(export.trail.map(\.entry.record.sequence)).count == export.trail.count)
  }

  @Test func `an account is erased with a confirmation, and no address remains`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    let person = try Person()
    let ada = try await world.openSession("ada@raxx.app", person)
    await expect(.stepUpRequired) {
      try await world.service.erase(
        ada, confirmation: PresentedConfirmation(of: ServiceWorld.action, grant: nil), in: world.at())
    }
    let invented = PresentedConfirmation(
      of: ServiceWorld.action, grant: try Token(at: ServiceWorld.start, random: .system))
    await expect(.stepUpGrantRefused) {
      try await world.service.erase(ada, confirmation: invented, in: world.at())
    }
    #expect(try await world.trail.last == "step-up.spent!step-up.grant-refused")
    try await world.service.erase(ada, confirmation: world.confirm(ada, person), in: world.at())
    #expect(try await world.memory.account(ada.account.handle) == nil)
    let entries = try await world.memory.auditEntries(after: 0, of: nil, limit: 99)
    #expect(entries.last?.record.event == .accountErased)
    #expect(entries.allSatisfy { $0.personalDetails.isEmpty })
    #expect(entries.allSatisfy { !String(decoding: $0.record.encoded, as: UTF8.self).contains("raxx.app") })
    try await world.service.verifyAuditTrail()
    await expect(.signInCredentialUnknown, toOutsiders: .signInRefused) { _ = try await world.signIn(nil, person) }
    // The address is available to another user.
    _ = try await world.signUp("ada@raxx.app", Person())
  }

  @Test func `a record about an erased account's session has no address`() async throws {
    let world = try ServiceWorld()
    try await world.service.claimStore(at: ServiceWorld.start)
    let ada = try await world.openSession("ada@raxx.app", Person())
    try await world.service.erase(ada.account.handle, by: .console, in: world.at())
    try await world.service.record(
      AuditEvent(rawValue: "order.placed"), by: ada, subject: (kind: "order", name: "1"), in: world.at())
    let invented = PresentedConfirmation(
      of: ServiceWorld.action, grant: try Token(at: ServiceWorld.start, random: .system))
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(invented, by: ada, in: world.at()) }
    await expect(.notPermitted) { _ = try await world.service.administrator(ada, in: world.at()) }
    let entries = try await world.memory.auditEntries(after: 0, of: ada.account.handle, limit: 99)
    #expect(entries.count == 3 + 1 + 3)
    #expect(entries.allSatisfy { $0.personalDetails.isEmpty })
    try await world.service.verifyAuditTrail()
  }

  @Test func `the last administrator cannot be erased`() async throws {
    let world = try ServiceWorld()
    let (account, code) = try await world.service.createAccount(
      EmailAddress("ada@raxx.app"), roles: [.administrator], by: .console, in: world.at())
    let person = try Person()
    let session = try await world.session(world.signUp("ada@raxx.app", person, code: code).opened)
    let confirmation = try await world.confirm(session, person)
    await expect(.accountLastAdministrator) {
      try await world.service.erase(session, confirmation: confirmation, in: world.at())
    }
    #expect(try await world.memory.account(account.handle) == account)
    #expect(
      try await world.trail.suffix(2) == ["step-up.spent", "account.erased!account.last-administrator"])
  }
}
