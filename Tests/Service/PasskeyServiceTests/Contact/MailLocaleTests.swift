// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// The language and the time zone of an account's mails.
struct MailLocaleTests {
  private func context(
    _ world: ServiceWorld, _ language: String?, _ timeZone: String? = nil, at seconds: Int = 0
  ) -> CallContext {
    var context = world.at(seconds)
    (context.language, context.timeZone) = (language, timeZone)
    return context
  }

  private func locale(_ world: ServiceWorld) async throws -> MailLocale {
    try #require(try await world.memory.account(email: EmailAddress("ada@raxx.app"))).locale
  }

  private func signIn(_ world: ServiceWorld, _ person: Person, in context: CallContext) async throws {
    let options = try await world.service.beginSignIn(EmailAddress("ada@raxx.app"), in: context)
    _ = try await world.service.finishSignIn(person.get(options), in: context)
  }

  @Test func `a new account has the language and the time zone of its client`() async throws {
    let world = try ServiceWorld()
    let german = context(world, "de", "Europe/Berlin")
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: german)
    _ = try await world.service.finishRegistration(Person().create(options), in: german)
    #expect(try await locale(world) == MailLocale(language: "de", timeZone: "Europe/Berlin"))
  }

  @Test func `an account whose address is verified first has the language of its first request`() async throws {
    let world = try ServiceWorld.mailing(.required)
    let german = context(world, "de")
    let options = try await world.service.beginRegistration(EmailAddress("ada@raxx.app"), in: german)
    let begun = try await world.service.finishRegistration(Person().create(options), in: german)
    let mail = try await world.takeMail(.emailVerificationRequested)
    _ = try await world.service.verifyEmail(
      #require(mail.code), token: #require(begun.verification?.token), in: context(world, "fr", "Europe/Paris", at: 1))
    #expect(try await locale(world) == MailLocale(language: "de", timeZone: "Europe/Paris"))
  }

  @Test func `a sign-in adds what an account lacks, and changes nothing else`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    #expect(try await locale(world) == MailLocale())
    try await signIn(world, ada, in: context(world, "not a tag", "Europe/Atlantis", at: 1))
    #expect(try await locale(world) == MailLocale())
    try await signIn(world, ada, in: context(world, "fr", at: 2))
    #expect(try await locale(world) == MailLocale(language: "fr"))
    try await signIn(world, ada, in: context(world, "de", "Asia/Tokyo", at: 3))
    #expect(try await locale(world) == MailLocale(language: "fr", timeZone: "Asia/Tokyo"))
    try await signIn(world, ada, in: context(world, "es", "Europe/Berlin", at: 4))
    #expect(try await locale(world) == MailLocale(language: "fr", timeZone: "Asia/Tokyo"))
  }

  @Test func `the first passkey of an account that an administrator created adds them, too`() async throws {
    let world = try ServiceWorld()
    let email = try EmailAddress("ada@raxx.app")
    let made = try await world.service.createAccount(AccountNames(email: email), by: .console, in: world.at())
    let german = context(world, "de", "Europe/Berlin")
    let options = try await world.service.beginRegistration(email, code: made.code, in: german)
    _ = try await world.service.finishRegistration(Person().create(options), in: german)
    #expect(try await locale(world) == MailLocale(language: "de", timeZone: "Europe/Berlin"))
  }

  @Test func `its owner changes it, exports it and erases it`() async throws {
    let world = try ServiceWorld()
    let session = try await world.openSession("ada@raxx.app", Person())
    let chosen = try session.account.locale.setting(language: "pt-BR", timeZone: "America/Sao_Paulo")
    #expect(chosen == MailLocale(language: "pt", timeZone: "America/Sao_Paulo"))
    #expect(try chosen.setting(language: nil, timeZone: nil) == chosen)
    try await world.service.setPreferences(.none, locale: chosen, by: session, in: world.at())
    let account = try #require(try await world.memory.account(session.account.handle))
    #expect(account.locale == chosen)
    let export = try await world.service.exportData(account, in: world.at())
    let json = try JSON.parse(export.json).require("account")
    #expect(try json.require("language").string == "pt" && json.require("timeZone").string == "America/Sao_Paulo")
  }

  @Test(
    arguments: [
      ("", nil), ("d", nil), ("deutsch", nil), ("de_DE", nil), ("de-", nil), ("d3", nil), ("de\n", nil),
      ("de-" + String(repeating: "abcdefgh-", count: 4), nil), (nil, "Europe/Atlantis"), (nil, ""), (nil, "CET-1CEST"),
      (nil, "../../etc/passwd"), ("de", "Mars/Olympus"),
    ] as [(String?, String?)])
  func `other texts are refused`(_ language: String?, _ timeZone: String?) async throws {
    await expect(.preferencesInvalid) { _ = try MailLocale().setting(language: language, timeZone: timeZone) }
  }
}
