// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

struct AuthServiceStepUpTests {
  private let order = ProtectedAction(method: "POST", path: "/api/orders", body: [UInt8](#"{"amount":10}"#.utf8))

  @Test func `an action is confirmed, and its confirmation is spent once`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let options = try await world.service.beginStepUp(for: order, by: session, in: world.at())
    #expect(options.userVerification == .required)
    #expect(options.allowCredentials.count == 1)
    let granted = try await world.service.finishStepUp(ada.get(options), by: session, in: world.at(1))
    #expect(granted.actionDigest == order.digest)
    #expect(granted.expiry == ServiceWorld.start + .seconds(61))
    let confirmation = PresentedConfirmation(of: order, grant: granted.token)
    let spent = try await world.service.spend(
      confirmation, by: session, details: ["amount": "10"], in: world.at(2))
    #expect(spent.action == order)
    #expect(spent.account == session.account)
    #expect(spent.session == session.session.id)
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(confirmation, by: session, in: world.at(2)) }
    #expect(
      try await world.trail.suffix(3) == [
        "step-up.confirmed", "step-up.spent", "step-up.spent!step-up.grant-refused",
      ])
    let record = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).suffix(2).first?.record
    #expect(record?.details["amount"] == "10")
    #expect(record?.details["session"] == "\(session.session.id)")
    #expect(record?.subject == AuditSubject.action(order.digest).text)
  }

  @Test func `a passkey registered without user verification cannot confirm`() async throws {
    let world = try ServiceWorld(ceremony: { $0.userVerification = .discouraged })
    let ada = try Person.withoutVerification()
    let session = try await world.openSession("ada@raxx.app", ada)
    #expect(try await world.service.passkeys(of: session).map(\.record.uvInitialized) == [false])
    await expect(.stepUpImpossible) {
      _ = try await world.service.beginStepUp(for: order, by: session, in: world.at())
    }
  }

  @Test func `of 200 concurrent uses of a confirmation one succeeds`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let confirmation = try await world.confirm(session, ada)
    let count = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask { (try? await world.service.spend(confirmation, by: session, in: world.at())) != nil }
      }
      return await group.reduce(into: 0) { count, isSpent in count += isSpent ? 1 : 0 }
    }
    #expect(count == 1)
    #expect(try await world.trail.filter { $0 == "step-up.spent" }.count == 1)
  }

  @Test func `a confirmation is for one body, path, method, session, user and minute`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let second = try await world.session(world.signIn("ada@raxx.app", ada))
    let eve = try await world.openSession("eve@raxx.app", Person())
    let others = [
      ProtectedAction(method: "POST", path: "/api/orders", body: [UInt8](#"{"amount":11}"#.utf8)),
      ProtectedAction(method: "POST", path: "/api/orders/1", body: [UInt8](#"{"amount":10}"#.utf8)),
      ProtectedAction(method: "PUT", path: "/api/orders", body: [UInt8](#"{"amount":10}"#.utf8)),
    ]
    for other in others {
      var confirmation = try await world.confirm(order, session, ada)
      confirmation.action = other
      let wrong = confirmation
      for _ in 0..<3 {
        await expect(.stepUpGrantRefused) { _ = try await world.service.spend(wrong, by: session, in: world.at()) }
      }
      confirmation.action = order
      let right = confirmation
      await expect(.stepUpGrantRefused) { _ = try await world.service.spend(right, by: session, in: world.at()) }
    }
    var corrected = try await world.confirm(order, session, ada)
    corrected.action = others[0]
    let first = corrected
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(first, by: session, in: world.at()) }
    corrected.action = order
    let repeated = corrected
    #expect(try await world.service.spend(repeated, by: session, in: world.at()).action == order)
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(repeated, by: session, in: world.at()) }
    for wrong in [second, eve] {
      let confirmation = try await world.confirm(order, session, ada)
      await expect(.stepUpGrantRefused) { _ = try await world.service.spend(confirmation, by: wrong, in: world.at()) }
    }
    let late = try await world.confirm(order, session, ada)
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(late, by: session, in: world.at(61)) }
    let inTime = try await world.confirm(order, session, ada)
    _ = try await world.service.spend(inTime, by: session, in: world.at(60))
  }

  @Test func `an action without a confirmation reports what to request`() async throws {
    let world = try ServiceWorld()
    let session = try await world.openSession("ada@raxx.app", Person())
    do {
      _ = try await world.service.spend(PresentedConfirmation(of: order, grant: nil), by: session, in: world.at())
      Issue.record("nothing was asked for")
    } catch {
      #expect(error.code == .stepUpRequired)
      #expect(error.detail == "POST /api/orders")
    }
    let invented = PresentedConfirmation(of: order, grant: try Token(at: ServiceWorld.start, random: .system))
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(invented, by: session, in: world.at()) }
  }

  @Test func `a step-up is finished once, by its user, in its session`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let eve = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let second = try await world.session(world.signIn("ada@raxx.app", ada))
    let eves = try await world.openSession("eve@raxx.app", eve)
    for wrong in [second, eves] {
      let response = try await ada.get(world.service.beginStepUp(for: order, by: session, in: world.at()))
      await expect(.stepUpCeremonyUnknown) {
        _ = try await world.service.finishStepUp(response, by: wrong, in: world.at())
      }
      _ = try await world.service.finishStepUp(response, by: session, in: world.at())
      await expect(.stepUpCeremonyUnknown) {
        _ = try await world.service.finishStepUp(response, by: session, in: world.at())
      }
    }
    // Another user's passkey.
    var options = try await world.service.beginStepUp(for: order, by: session, in: world.at())
    options.allowCredentials = []
    let stranger = try await eve.get(options)
    await expect(.stepUpCredentialRefused, toOutsiders: .stepUpRefused) {
      _ = try await world.service.finishStepUp(stranger, by: session, in: world.at())
    }
    // A sign-in's assertion.
    let signIn = try await ada.get(world.service.beginSignIn(nil, in: world.at()))
    await expect(.stepUpCeremonyUnknown) {
      _ = try await world.service.finishStepUp(signIn, by: session, in: world.at())
    }
    let late = try await ada.get(world.service.beginStepUp(for: order, by: session, in: world.at()))
    await expect(.stepUpCeremonyUnknown) {
      _ = try await world.service.finishStepUp(late, by: session, in: world.at(301))
    }
    var forged = try await ada.get(world.service.beginStepUp(for: order, by: session, in: world.at()))
    forged.signature = [0]
    let wrong = forged
    await expect(.stepUpCeremonyFailed, toOutsiders: .stepUpRefused) {
      _ = try await world.service.finishStepUp(wrong, by: session, in: world.at())
    }
    #expect(try await world.trail.last == "step-up.confirmed!authentication.signature-invalid")
  }

  @Test func `ending a session deletes its confirmations`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let confirmation = try await world.confirm(session, ada)
    let response = try await ada.get(world.service.beginStepUp(for: order, by: session, in: world.at()))
    try await world.service.revoke(session.session.id, by: session, in: world.at())
    await expect(.stepUpGrantRefused) { _ = try await world.service.spend(confirmation, by: session, in: world.at()) }
    await expect(.sessionUnknown) { _ = try await world.service.finishStepUp(response, by: session, in: world.at()) }
  }

  @Test func `an account without a usable passkey cannot confirm`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let session = try await world.session(made.opened)
    _ = try await world.memory.disable(made.passkey.record.id, of: made.account.handle, cloneSignal: nil, audit: [])
    await expect(.stepUpImpossible) {
      _ = try await world.service.beginStepUp(for: order, by: session, in: world.at())
    }
  }

  @Test func `a concurrently used passkey is verified again, a limited number of times`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let session = try await world.openSession("ada@raxx.app", ada)
    let id = session.session.credential
    world.faults.beforeWrite { (memory) in
      guard let passkey = try? await memory.passkey(id) else { return }
      await memory.use(passkey)
    }
    await expect(.stepUpContended) { _ = try await world.confirm(session, ada) }
    world.faults.beforeWrite { (memory) in
      guard let passkey = try? await memory.passkey(id), passkey.revision < 8 else { return }
      await memory.use(passkey)
    }
    _ = try await world.confirm(session, ada)
    world.faults.beforeWrite { (memory) in
      _ = try? await memory.delete(
        id, of: session.account.handle, keeping: session.session.id, allowingLast: true, spending: nil, audit: [])
    }
    await expect(.stepUpCredentialRefused, toOutsiders: .stepUpRefused) { _ = try await world.confirm(session, ada) }
  }

  @Test(arguments: [ServicePolicy.Signals.refuse, .disable])
  func `a changed backup eligibility confirms nothing if the policy refuses it`(
    policy: ServicePolicy.Signals
  ) async throws {
    let world = try ServiceWorld({ $0.backupSignal = policy })
    let ada = try Person()
    let made = try await world.signUp("ada@raxx.app", ada)
    let session = try await world.session(made.opened)
    var passkey = made.passkey
    passkey.record.backupEligible = false
    passkey.record.backupState = false
    // The same passkey as another store recorded it.
    _ = try await world.memory.delete(
      passkey.record.id, of: passkey.user, keeping: session.session.id, allowingLast: true, spending: nil, audit: [])
    _ = try await world.memory.register(
      RegistrationCommit(
        owner: .account(passkey.user, session: nil), passkey: passkey, code: nil, opening: nil,
        maximumPasskeyCount: 9, time: ServiceWorld.start, audit: []))
    await expect(.stepUpBackupEligibilityChanged, toOutsiders: .stepUpRefused) {
      _ = try await world.confirm(session, ada)
    }
    #expect(try await world.memory.passkey(passkey.record.id)?.isDisabled == (policy == .disable))
  }

  @Test func `a clone confirms nothing if the policy refuses it`() async throws {
    let world = try ServiceWorld({ $0.cloneSignal = .refuse })
    let ada = try Person(Person.counting)
    let session = try await world.openSession("ada@raxx.app", ada)
    let copy = try Person(cloning: ada)
    _ = try await world.confirm(session, ada)
    _ = try await world.confirm(session, ada)
    await expect(.stepUpCloneSuspected, toOutsiders: .stepUpRefused) { _ = try await world.confirm(session, copy) }
  }
}
