// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct AuthServicePasskeyTests {
  @Test func `a passkey is renamed by its owner only, and others look unknown`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    let ada = try await world.session(made.opened)
    let eve = try await world.openSession("eve@raxx.app", Person())
    let id = made.passkey.record.id
    try await world.service.rename(id, to: Passkey.Name("Old phone"), by: ada, in: world.at())
    #expect(try await world.service.passkeys(of: ada).map(\.name.text) == ["Old phone"])
    for (unknown, session) in [(id, eve), (try CredentialID([1, 2, 3]), ada)] {
      await expect(.credentialUnknown) {
        try await world.service.rename(unknown, to: Passkey.Name("Mine"), by: session, in: world.at())
      }
    }
    #expect(try await world.trail.last == "credential.renamed")
  }

  @Test func `a passkey is deleted with a confirmation, and the last one only on request`() async throws {
    let world = try ServiceWorld()
    let person = try Person()
    let made = try await world.signUp("ada@raxx.app", person)
    let ada = try await world.session(made.opened)
    let id = made.passkey.record.id
    let none = PresentedConfirmation(of: ServiceWorld.action, grant: nil)
    await expect(.stepUpRequired) {
      try await world.service.delete(id, by: ada, confirmation: none, in: world.at())
    }
    let first = try await world.confirm(ada, person)
    await expect(.credentialLast) { try await world.service.delete(id, by: ada, confirmation: first, in: world.at()) }
    #expect(try await world.trail.suffix(2) == ["step-up.spent", "credential.deleted!passkey.last"])
    await expect(.stepUpGrantRefused) {
      try await world.service.delete(id, by: ada, confirmation: first, in: world.at())
    }
    #expect(try await world.trail.last == "step-up.spent!step-up.grant-refused")
    let code = try await world.service.recover(ada.account.handle, by: .console, in: world.at())
    let second = try Person()
    _ = try await world.signUp("ada@raxx.app", second, code: code)
    // The sessions of the lost passkey end, and the current one stays.
    let elsewhere = try await world.signIn("ada@raxx.app", second)
    let fromSecond = try await world.session(elsewhere)
    try await world.service.delete(
      id, by: fromSecond, confirmation: world.confirm(fromSecond, second), in: world.at())
    await expect(.sessionUnknown) { _ = try await world.session(made.opened) }
    #expect(try await world.service.passkeys(of: fromSecond).count == 1)
    #expect(try await world.trail.suffix(2) == ["step-up.spent", "credential.deleted"])
    let unknown = try await world.confirm(fromSecond, second)
    await expect(.credentialUnknown) {
      try await world.service.delete(id, by: fromSecond, confirmation: unknown, in: world.at())
    }
    let last = try #require(try await world.service.passkeys(of: fromSecond).first).record.id
    try await world.service.delete(
      last, allowingLast: true, by: fromSecond, confirmation: world.confirm(fromSecond, second), in: world.at())
    #expect(try await world.service.passkeys(of: fromSecond).isEmpty)
    #expect(try await world.service.acceptedCredentials(of: fromSecond) == nil)
  }

  @Test func `a signal names the accepted passkeys`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    let session = try await world.session(made.opened)
    let signal = try #require(try await world.service.acceptedCredentials(of: session))
    let text = String(decoding: signal.json, as: UTF8.self)
    #expect(text.contains("\(made.passkey.record.id)"))
    #expect(text.contains("raxx.app"))
    // A disabled passkey is no longer accepted. An empty list of passkeys is not signaled.
    _ = try await world.memory.disable(made.passkey.record.id, of: made.account.handle, cloneSignal: nil, audit: [])
    #expect(try await world.service.acceptedCredentials(of: session) == nil)
  }
}
