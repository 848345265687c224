// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let ceremonies: [Case] = [
    Case("a response finds its credential, and whether its ceremony is spent") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let (ceremony, stranger) = (try Sample.ceremony(), try CredentialID(Sample.bytes(16)))
      let salt = try await storage.addSalt()
      for isSpent in [false, true] {
        let known = try await storage.presented(passkey.record.id, in: ceremony, sealedWith: salt)
        #expect(known == PresentedCredential(passkey: passkey, account: account, isSpent: isSpent))
        let unknown = try await storage.presented(stranger, in: ceremony, sealedWith: salt)
        #expect(unknown == PresentedCredential(passkey: nil, account: nil, isSpent: isSpent))
        if !isSpent { #expect(try await storage.spend(ceremony)) }
      }
    },
    Case("a ceremony whose salt is gone is spent") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let ceremony = try Sample.ceremony()
      let salt = try await storage.addSalt()
      #expect(try await !storage.presented(passkey.record.id, in: ceremony, sealedWith: salt).isSpent)
      let next = ChallengeSalt(bytes: try Sample.bytes(16), created: Sample.start)
      try await storage.replaceChallengeSalts(with: next)
      for connection in store.connections {
        #expect(try await connection.presented(passkey.record.id, in: ceremony, sealedWith: salt).isSpent)
        #expect(try await !connection.presented(passkey.record.id, in: ceremony, sealedWith: next).isSpent)
        #expect(try await connection.challengeSalts() == [next])
      }
    },
    Case("of 200 concurrent spendings one succeeds") { store in
      let ceremony = try Sample.ceremony()
      let spent = try await store.inParallel(200) { (storage, _) in try await storage.spend(ceremony) }
      #expect(spent.count == 200 && spent.filter(\.self).count == 1)
    },
    Case("of 200 responses to one challenge one signs in") { store in
      try await DatabaseChecks.finishOnce(store.connections, count: 200, ceremonies: 2)
    },
    Case("the record of a refusal spends the ceremony") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let ceremony = try Sample.ceremony()
      let salt = try await storage.addSalt()
      for count in 1...2 {
        try await storage.append([Sample.draft(.sessionOpened, of: account.handle)], spending: ceremony)
        #expect(try await storage.recordCount == count)
      }
      #expect(try await storage.presented(passkey.record.id, in: ceremony, sealedWith: salt).isSpent)
      var commit = SignInCommit(
        use: CredentialUse(passkey), opening: try Sample.opening(of: account.handle, with: passkey.record.id),
        audit: [])
      commit.ceremony = ceremony
      #expect(try await storage.signIn(commit) == .ceremonySpent)
      commit.ceremony = try Sample.ceremony()
      #expect(try await storage.signIn(commit) == .opened)
    },
    Case("a registration, a confirmation and a verification spend their ceremony") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = StepUpGrant(
        digest: try Sample.identifier(), user: account.handle, session: opening.session.id,
        actionDigest: try Sample.bytes(32), expiry: Sample.time(100))
      var confirmation = StepUpCommit(use: CredentialUse(passkey), grant: grant, audit: [])
      confirmation.ceremony = try Sample.ceremony()
      #expect(try await storage.confirm(confirmation) == .granted)
      confirmation.grant.digest = try Sample.identifier()
      #expect(try await storage.confirm(confirmation) == .ceremonySpent)
      #expect(try await !storage.spend(GrantSpending(confirmation.grant), audit: []))
      var verification = ReverificationCommit(
        use: CredentialUse(passkey), session: opening.session.id, time: Sample.time(5), audit: [])
      verification.ceremony = try Sample.ceremony()
      guard case .verified = try await storage.reverify(verification) else {
        Issue.record("not verified")
        return
      }
      #expect(try await storage.reverify(verification) == .ceremonySpent)
      let others = try Sample.account()
      var registration = RegistrationCommit(
        owner: .newAccount(others), passkey: try Sample.passkey(of: others.handle), code: nil, opening: nil,
        maximumPasskeyCount: 1, time: Sample.start, audit: [])
      registration.ceremony = verification.ceremony
      #expect(try await storage.register(registration).refusal == .signUpCeremonyUnknown)
      #expect(try await storage.account(others.handle) == nil)
      registration.ceremony = try Sample.ceremony()
      #expect(try await storage.register(registration).value == others)
    },
    Case("a commit that changes nothing spends nothing") { store in
      let storage = store.storage
      let (account, passkey) = try await storage.registerAccount()
      var use = CredentialUse(passkey)
      use.revision += 1
      let ceremony = try Sample.ceremony()
      var commit = SignInCommit(
        use: use, opening: try Sample.opening(of: account.handle, with: passkey.record.id), audit: [])
      commit.ceremony = ceremony
      #expect(try await storage.signIn(commit) == .credentialChanged)
      #expect(try await storage.spend(ceremony))
      #expect(try await storage.signIn(commit) == .ceremonySpent)
    },
    Case("salts are added once in a period, and old ones deleted") { store in
      let storage = store.storage
      @Sendable func salt(_ second: Int) throws -> ChallengeSalt {
        ChallengeSalt(bytes: try Sample.bytes(16), created: Sample.time(second))
      }
      let (first, second, third) = (try salt(0), try salt(100), try salt(200))
      #expect(try await storage.challengeSalts().isEmpty)
      let lifetime = Sample.time(-9)...Sample.time(900)
      #expect(
        try await storage.addChallengeSalt(first, unlessSince: lifetime.lowerBound, deletingOutside: lifetime) == [
          first
        ])
      #expect(
        try await storage.addChallengeSalt(second, unlessSince: lifetime.lowerBound, deletingOutside: lifetime) == [
          first
        ])
      #expect(
        try await storage.addChallengeSalt(second, unlessSince: Sample.time(50), deletingOutside: lifetime)
          == [second, first])
      let later = Sample.time(50)...Sample.time(900)
      #expect(
        try await storage.addChallengeSalt(third, unlessSince: Sample.time(50), deletingOutside: later) == [second])
      #expect(
        try await storage.addChallengeSalt(
          third, unlessSince: Sample.time(150), deletingOutside: Sample.time(150)...Sample.time(900)) == [third])
      #expect(
        try await storage.addChallengeSalt(
          first, unlessSince: Sample.time(-1), deletingOutside: Sample.time(-9)...Sample.time(150)) == [first])
      #expect(try await storage.challengeSalts() == [first])
      let added = try await store.inParallel(20) { (storage, number) in
        try await storage.addChallengeSalt(
          salt(1_000 + number), unlessSince: Sample.time(1_000), deletingOutside: Sample.start...Sample.time(9_000))
      }
      #expect(Set(added.map(\.first)).count == 1)
    },
  ]
}

extension DatabaseStorage {
  /// Adds a salt, which the store did not have, and returns it.
  func addSalt() async throws -> ChallengeSalt {
    let salt = ChallengeSalt(bytes: try Sample.bytes(16), created: Sample.start)
    try await replaceChallengeSalts(with: salt)
    return salt
  }
}

/// Expects `body` to fail with this code.
func expect(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Sendable
) async {
  do {
    let outcome = try await body()
    Issue.record("\(outcome) in place of \(code.rawValue)", sourceLocation: sourceLocation)
  } catch let error as StorageError {
    #expect(error.code == code, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
