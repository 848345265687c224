// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

struct IdentifierPolicyTests {
  private func world(_ policy: (inout ServicePolicy) -> Void = { _ in }) throws -> ServiceWorld {
    try ServiceWorld {
      $0.identifiers.username = .required
      $0.identifiers.email = .optional
      $0.identifiers.usernameLength = 3...64
      $0.identifiers.handles = .uuid
      policy(&$0)
    }
  }

  private func names(_ username: String?, _ email: String? = nil) throws -> AccountNames {
    try #require(AccountNames(username.map { try Username($0) }, email.map { try EmailAddress($0) }))
  }

  private func register(
    _ names: AccountNames, _ person: Person, in world: ServiceWorld
  ) async throws -> RegisteredPasskey {
    let options = try await world.service.beginRegistration(names, in: world.at())
    return try await world.service.finishRegistration(person.create(options), in: world.at())
  }

  @Test func `a user registers and signs in with a user name, in any case`() async throws {
    let (world, ada) = (try world(), try Person())
    let options = try await world.service.beginRegistration(names("Ada Lovelace"), in: world.at())
    #expect(options.user.name == "Ada Lovelace" && options.user.displayName == "Ada Lovelace")
    let made = try await world.service.finishRegistration(ada.create(options), in: world.at())
    #expect(made.account.name == "Ada Lovelace" && made.account.email == nil)
    let uuid = try #require(made.account.handle.uuid)
    #expect(uuid[uuid.index(uuid.startIndex, offsetBy: 14)] == "4")
    let signIn = try await world.service.beginSignIn(.username(Username("ada lovelace")), in: world.at())
    #expect(signIn.allowCredentials.map(\.id) == [made.passkey.record.id])
    #expect(try await world.service.finishSignIn(ada.get(signIn), in: world.at()).account == made.account)
  }

  @Test func `names that the policy does not accept are refused`() async throws {
    let world = try world()
    for (username, email, code) in [
      (nil, "ada@raxx.app", ServiceError.Code.nameRefused), ("ad", nil, .usernameInvalid),
      ("a@raxx.app", nil, .usernameInvalid),
    ] {
      await expect(code) { _ = try await world.service.beginRegistration(names(username, email), in: world.at()) }
      await expect(code) {
        _ = try await world.service.createAccount(names(username, email), by: .console, in: world.at())
      }
    }
    let onlyEmail = try ServiceWorld()
    await expect(.nameRefused) {
      _ = try await onlyEmail.service.beginRegistration(names("ada", "ada@raxx.app"), in: onlyEmail.at())
    }
    #expect(throws: ServiceError.self) {
      try ServiceWorld {
        $0.identifiers.email = .refused
        $0.identifiers.username = .refused
      }
    }
    #expect(throws: ServiceError.self) { try ServiceWorld { $0.identifiers.usernameLength = 0...3 } }
  }

  @Test(arguments: [false, true])
  func `a taken user name is refused at the end, or at once if the policy says so`(atOnce: Bool) async throws {
    let world = try world { $0.identifiers.refusesTakenUsernamesAtOnce = atOnce }
    _ = try await register(names("ada", "ada@raxx.app"), Person(), in: world)
    await expect(.signUpUsernameTaken) {
      let options = try await world.service.beginRegistration(names("ADA"), in: world.at())
      #expect(!atOnce)
      _ = try await world.service.finishRegistration(Person().create(options), in: world.at())
    }
    // The user name alone decides, so that the answer does not tell whose address is taken.
    await expect(.signUpUsernameTaken) { _ = try await register(names("Ada", "ada@raxx.app"), Person(), in: world) }
    await expect(.signUpEmailTaken, toOutsiders: .signUpRefused) {
      _ = try await register(names("eve", "ada@raxx.app"), Person(), in: world)
    }
  }

  @Test func `an unknown user name gets decoys with handles of the policy's length`() async throws {
    let world = try world()
    _ = try await register(names("ada"), Person(), in: world)
    let stranger = AccountName.username(try Username("nobody"))
    let first = try await world.service.beginSignIn(stranger, in: world.at())
    let again = try await world.service.beginSignIn(.username(Username("NOBODY")), in: world.at())
    #expect(!first.allowCredentials.isEmpty && first.allowCredentials == again.allowCredentials)
    guard case .knownBefore(let decoy, _) = try await world.service.identification(of: stranger) else {
      Issue.record("no decoy")
      return
    }
    #expect(decoy.bytes.count == 16)
    // The decoy of a name stays, whatever the handles of later accounts.
    let other = try ServiceWorld(on: world) { $0.identifiers.username = .optional }
    guard case .knownBefore(let later, _) = try await other.service.identification(of: stranger) else {
      Issue.record("no decoy")
      return
    }
    #expect(later == decoy)
  }

  @Test func `a recovery code is valid with either name, and not with another account's`() async throws {
    let (world, ada) = (try world(), try Person())
    let made = try await register(names("ada", "ada@raxx.app"), ada, in: world)
    _ = try await register(names("ben", "ben@raxx.app"), Person(), in: world)
    let code = try await world.service.recover(made.account.handle, by: .console, in: world.at())
    for mixed in [try names("ben"), try names("ada", "ben@raxx.app"), try names(nil, "ben@raxx.app")] {
      await expect(.signUpCodeRefused) {
        _ = try await world.service.beginRegistration(mixed, code: code, in: world.at())
      }
    }
    for own in [try names("ADA"), try names(nil, "ada@raxx.app"), try names("ada", "ada@raxx.app")] {
      let options = try await world.service.beginRegistration(own, code: code, in: world.at())
      #expect(options.user.id == made.account.handle && options.user.name == "ada")
    }
  }

  @Test func `the status of a pair of names tells the same for unknown and pending accounts`() async throws {
    let world = try world { $0.signUp = .approval }
    let made = try await register(names("ada", "ada@raxx.app"), Person(), in: world)
    func status(_ username: String, _ email: String) async throws -> Account.Status {
      try await world.service.accountStatus(username: Username(username), email: EmailAddress(email))
    }
    #expect(try await status("Ada", "ada@raxx.app") == .pending)
    _ = world.faults.takeTransactions()
    for (username, email) in [("ada", "ada@raxx.app"), ("eve", "ada@raxx.app"), ("eve", "eve@raxx.app")] {
      #expect(try await status(username, email) == .pending)
      #expect(world.faults.takeTransactions() == ["find accounts", "find accounts"])
    }
    try await world.service.change(made.account.handle, .approve, by: .console, in: world.at())
    #expect(try await status("ada", "ada@raxx.app") == .approved)
    #expect(try await status("ada", "eve@raxx.app") == .pending)
    try await world.service.change(made.account.handle, .disable, by: .console, in: world.at())
    #expect(try await status("ada", "ada@raxx.app") == .rejected)
  }
}
